// Tensor-parallel linear layers: the GEMMs of each GPU and the collectives around them, as Megatron orders them.
//
// X: rows x in, W: in x out, M = micro-batch x sequence rows, S = 2 M h bytes of the full activations. A column-parallel layer
// keeps 1/t of `out`, a row-parallel layer 1/t of `in`.
//
//                    without sequence parallel             with sequence parallel                with tp_overlap besides
//   column forward   GEMM                                  all-gather S, then GEMM               all-gather under (t-1)/t of the
//   GEMM row forward      GEMM, then all-reduce S               GEMM, then reduce-scatter S           reduce-scatter (t-1)/t S
//   under
//                                                                                                (t-1)/t of the GEMM, then S/t
//   column backward  dgrad, all-reduce S under wgrad       all-gather S (input again) under      the same
//                                                          dgrad, reduce-scatter S under wgrad
//   row backward     dgrad, wgrad                          all-gather S, dgrad, wgrad            all-gather under (t-1)/t of
//   dgrad
//
// dgrad: M x in x out; wgrad: in x out x M, accumulated into the gradient buffer (read and written once). Older stacks write
// wgrad in 16 bit and add it in a kernel of its own (fused_accumulation: false), and start wgrad only when the reduction of the
// data gradient has ended (overlap_tensor_backward: false). A GEMM that runs under a collective loses the SMs that collective
// holds while it lasts (beside_collective).
//
// tp_overlap follows the user buffers of Transformer Engine (methods and SMs by default, module/base.py, initialize_ub): a GEMM
// is cut into t chunks of M / t rows, each a kernel with its own launch and last wave.
//   all-gathers      ring exchange by copy engines: no SMs. Ends at max(GEMM, all-gather + last chunk).
//   reduce-scatters  pipelined behind the chunks by kernels on 16 SMs that the GEMM leaves free all the while; the last chunk's
//                    share follows the GEMM.
//   column backward  "bulk": one collective of 16 SMs beside a whole GEMM.
#pragma once

#include <cstdint>
#include <string>

#include "sim/model/block_builder.hpp"

namespace gridlock::model {

// `in` and `out` are the columns on this GPU.
struct Linear {
  std::string label;
  std::int64_t in = 0, out = 0;
  bool user_buffers = true;  // false: takes no part in tp_overlap
};

void column_forward(BlockBuilder& block, const Linear& linear);
void column_backward(BlockBuilder& block, const Linear& linear);
void row_forward(BlockBuilder& block, const Linear& linear);
void row_backward(BlockBuilder& block, const Linear& linear);

}  // namespace gridlock::model
