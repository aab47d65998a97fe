// The end of a step on one GPU: mixed-precision Adam with fp32 master weights, by multi-tensor kernels.
//
// Bytes of HBM per parameter, g = bytes of a gradient element:
//   gradient norm   [fp16: unscale and check for overflow g + g], sum of squares g           of the gradients held or sharded
//   update          clip g + g; Adam reads master weight, two moments and gradient 4 + 4 + 4 + g and writes 4 + 4 + 4;
//                   master to 16-bit weight 4 + 2
//   clearing        g of every gradient held
// With fp32 gradients: 4 + 8 + 28 + 6 + 4 = 50 bytes, 58 with loss scaling. Worked example: 2.75 billion parameters on an A100
// at 1.7 TB/s: 81 ms (bf16), 94 ms (fp16).
#pragma once

#include "sim/model/block.hpp"
#include "sim/model/block_input.hpp"

namespace gridlock::model {

// Before the all-reduce of the norm. `parameters`: whose gradients this GPU sums: all it holds, or its ZeRO shard.
Block gradient_norm(const BlockInput& input, double parameters);

// After it. `parameters_updated`: all this GPU holds, or its ZeRO shard; `parameters_held`: whose gradients are cleared.
Block optimizer_step(const BlockInput& input, double parameters_updated, double parameters_held);

}  // namespace gridlock::model
