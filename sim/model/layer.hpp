// One transformer layer on one GPU, forward and backward, as blocks of kernels and tensor-parallel collectives.
//
// Kernels besides the linear layers (linear.hpp) and the attention core (attention.hpp); M rows, Ms = M / t with sequence
// parallel, else M; bf16 or fp16 values of 2 bytes, dropout masks of 1:
//   norm               Ms h (2 read + 2 written); backward: input gradient 2 + 2 + 2, then weight and bias gradients 2 + 2
//                      (a second kernel; none with fused epilogues, whose norm makes both in one pass)
//   bias (unfused)     columns M (2 + 2); backward: bias gradient, columns M (2)
//   rotary             M (q + k columns) (2 + 2), each way; models without learned positions
//   QKV gradient       M qkv (2 + 2): unfused attention writes dQ, dK, dV apart and joins them
//   activation         M ffn (2 [gated: 4] read + 2 written); backward: 2 + 2 [4] read, 2 [4] written
//   dropout + residual Ms h (2 + 2 read, 2 written, 1 of mask); backward: dropout Ms h (2 + 1 + 2), and where the gradients of
//                      the two branches meet Ms h (2 + 2 + 2)
// FLOPs of forward + backward without recomputation, GPT, whole layer over its t GPUs: 72 B s h^2 (1 + s / (6 h))
// (Narayanan et al. 2021, eq. 3 without the recomputed forward pass).
#pragma once

#include "sim/model/block.hpp"
#include "sim/model/block_input.hpp"

namespace gridlock::model {

Block layer_forward(const BlockInput& input);

// Recomputes first: nothing, the attention core (selective) or the whole layer (full).
Block layer_backward(const BlockInput& input);

}  // namespace gridlock::model
