// FLOPs of one training step of the whole model, as sources count them (a multiply-add is 2).
//
// Per token, forward:  layers (2 W + A) + 2 h V, with W the matmul weights of a layer and A the attention core:
//   A = 4 s a d  full (every score),  2 s a d  causal (the useful half)          a d = heads * head_dim
// Backward is twice that. Model FLOPs: 3 x forward, recomputation not counted. For GPT with full attention this is
// 72 B s l h^2 (1 + s/(6h) + V/(12 h l))  (Korthikanti et al. 2022, appendix A).
// Hardware FLOPs add what recomputation runs again: A (selective), or a whole layer (full).
#pragma once

#include <cstdint>

#include "sim/model/model_spec.hpp"

namespace gridlock::model {

double model_flops_full(const ModelSpec& m, double sequences, std::int64_t sequence);
double model_flops_causal(const ModelSpec& m, double sequences, std::int64_t sequence);

// `causal`: as executed by flash attention; else full.
double hardware_flops(const ModelSpec& m, double sequences, std::int64_t sequence, Recompute recompute, bool causal);

}  // namespace gridlock::model
