// The attention core (scores, softmax, dropout, context) of one layer on one GPU: between the QKV and the output projection.
//
// With B = micro-batch, s = sequence, A = heads / tensor, d = head_dim:
//   unfused: FLOPs forward 4 B A s^2 d (scores and context, each a batched GEMM over the whole square), backward twice that;
//     HBM per score element: scale-mask-softmax 2 read + 2 written, dropout 2 + 2 + 1 of mask; backward of dropout
//     2 + 1 + 2, of softmax 2 + 2 + 2. The context is copied once from head-major to token-major order, each way.
//   flash: FLOPs forward 4 B A s^2 d / 2 (causal: blocks above the diagonal are skipped), backward 2.5 times that (five
//     products instead of two); HBM: Q, K, V, the output, and in the backward pass their gradients as well.
#pragma once

#include "sim/model/block_builder.hpp"

namespace gridlock::model {

void attention_forward(BlockBuilder& block);
void attention_backward(BlockBuilder& block);

}  // namespace gridlock::model
