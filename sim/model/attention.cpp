#include "sim/model/attention.hpp"

namespace gridlock::model {
namespace {

double score_elements(const BlockInput& in) {
  return static_cast<double>(in.rows()) * static_cast<double>(in.sequence) * in.model.heads / in.tensor;
}

double context_elements(const BlockInput& in) {
  return static_cast<double>(in.rows()) * static_cast<double>(in.attention_columns());
}

// One GEMM per head of s x n x k.
GemmShape batched(const BlockInput& in, std::int64_t n, std::int64_t k) {
  return {.m = in.sequence, .n = n, .k = k, .batch = in.micro * in.model.heads / in.tensor};
}

double flash_forward_flops(const BlockInput& in) {
  constexpr double causal = 0.5;
  return 4 * score_elements(in) * static_cast<double>(in.model.head_dim) * causal;
}

double flash_forward_bytes(const BlockInput& in) {
  const auto columns = static_cast<double>(in.qkv_columns() + in.attention_columns());
  return 2 * static_cast<double>(in.rows()) * columns;
}

}  // namespace

void attention_forward(BlockBuilder& block) {
  const BlockInput& in = block.input();
  if (in.profile.attention == Attention::flash) {
    block.compute("attention", fused(flash_forward_flops(in), in.profile.flash.forward, flash_forward_bytes(in),
                                     in.profile.memory, in.device));
    return;
  }
  const double scores = score_elements(in);
  block.gemm("attention.scores", batched(in, in.sequence, in.model.head_dim));
  block.stream("attention.softmax", scores * (2 + 2));
  if (in.model.dropout) block.stream("attention.dropout", scores * (2 + 2 + 1));
  block.gemm("attention.context", batched(in, in.model.head_dim, in.sequence));
  block.stream("attention.copy", context_elements(in) * (2 + 2));
}

void attention_backward(BlockBuilder& block) {
  const BlockInput& in = block.input();
  if (in.profile.attention == Attention::flash) {
    constexpr double products = 2.5;
    block.compute("attention.backward", fused(products * flash_forward_flops(in), in.profile.flash.backward,
                                              2 * flash_forward_bytes(in), in.profile.memory, in.device));
    return;
  }
  const double scores = score_elements(in);
  block.stream("attention.copy.backward", context_elements(in) * (2 + 2));
  block.gemm("attention.context.dgrad", batched(in, in.sequence, in.model.head_dim));
  block.gemm("attention.context.vgrad", batched(in, in.model.head_dim, in.sequence));
  if (in.model.dropout) block.stream("attention.dropout.backward", scores * (2 + 1 + 2));
  block.stream("attention.softmax.backward", scores * (2 + 2 + 2));
  block.gemm("attention.scores.qgrad", batched(in, in.model.head_dim, in.sequence));
  block.gemm("attention.scores.kgrad", batched(in, in.model.head_dim, in.sequence));
}

}  // namespace gridlock::model
