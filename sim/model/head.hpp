// The last block of the model: final norm, logits over the vocabulary split over tensor ranks, cross-entropy in fp32.
//
// Per logit of this GPU (M rows, V/t columns; the vocabulary-parallel loss of Megatron, one kernel a step):
//   forward   cast to fp32 2 + 4, maximum 4, [all-reduce of M x 4 bytes], subtract 4 + 4, exponentiate 4 + 4, sum 4,
//             [two all-reduces of M x 4 bytes: the target's logit and the sum], normalise 4 + 4              = 38 bytes
//   backward  scale 4 + 4, cast to 16 bits 4 + 2                                                             = 14 bytes
// The logits GEMM is a column-parallel linear layer (linear.hpp) outside of tp_overlap. FLOPs forward + backward: 6 M h V / t.
#pragma once

#include "sim/model/block.hpp"
#include "sim/model/block_input.hpp"

namespace gridlock::model {

Block head_forward(const BlockInput& input);
Block head_backward(const BlockInput& input);

}  // namespace gridlock::model
