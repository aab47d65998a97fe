// The first block of the model: token embedding (rows of the vocabulary split over the tensor ranks), positions, dropout.
//
// M rows, h hidden, Ms = M / t with sequence parallel; each tensor rank looks up all tokens, zeroes those of other ranks, and
// the sum over ranks is an all-reduce (reduce-scatter with sequence parallel) of 2 M h bytes.
//   forward   lookup M h (2 + 2), zeroing M h (t-1)/t (2), positions Ms h (2 + 2 + 2), dropout Ms h (2 + 2 + 1)
//   backward  dropout Ms h (2 + 1 + 2), all-gather with sequence parallel, scatter-add M h (2) into a dense gradient of
//             V/t h (2 written, 2 read, and the accumulation buffer read and written)
#pragma once

#include "sim/model/block.hpp"
#include "sim/model/block_input.hpp"

namespace gridlock::model {

Block embedding_forward(const BlockInput& input);
Block embedding_backward(const BlockInput& input);

}  // namespace gridlock::model
