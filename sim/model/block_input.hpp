// What the blocks of one GPU depend on besides their kind.
#pragma once

#include <cstdint>

#include "sim/model/kernel.hpp"
#include "sim/model/model_spec.hpp"
#include "sim/model/profile.hpp"

namespace gridlock::model {

// REQUIRES heads, kv_heads (or tensor a multiple of kv_heads), ffn divisible by `tensor`; with sequence_parallel also `sequence`.
struct BlockInput {
  ModelSpec model;
  Profile profile;
  Device device;
  int tensor = 1;
  bool sequence_parallel = false;
  bool tp_overlap =
      false;  // collectives pipelined with their GEMM in chunks (Transformer Engine's user buffers); needs sequence_parallel
  std::int64_t micro = 1;     // sequences
  std::int64_t sequence = 0;  // tokens
  Recompute recompute = Recompute::none;
  double gradient_bytes = 4;  // of an element of the gradient accumulation buffer
  bool loss_scaling = false;  // fp16: gradients are unscaled and checked for overflow

  std::int64_t rows() const { return micro * sequence; }
  // Rows of the parts that sequence parallelism shards: norms, dropout, residual.
  double sharded_rows() const { return static_cast<double>(rows()) / (sequence_parallel ? tensor : 1); }
  std::int64_t attention_columns() const { return model.heads * model.head_dim / tensor; }
  // K and V each; with more tensor ranks than key-value heads every rank keeps one head.
  std::int64_t kv_columns() const { return (model.kv_heads >= tensor ? model.kv_heads / tensor : 1) * model.head_dim; }
  std::int64_t qkv_columns() const { return attention_columns() + 2 * kv_columns(); }
  std::int64_t ffn_columns() const { return model.ffn / tensor; }
  std::int64_t up_columns() const { return ffn_columns() * (model.gated_mlp ? 2 : 1); }
  // Vocabularies are padded to a multiple of 128 per tensor rank, as Megatron does.
  std::int64_t vocab_columns() const {
    const std::int64_t multiple = std::int64_t{128} * tensor;
    return (model.vocab + multiple - 1) / multiple * 128;
  }
};

}  // namespace gridlock::model
