#include "sim/model/layer.hpp"

#include "sim/model/attention.hpp"
#include "sim/model/linear.hpp"
#include "sim/model/normalization.hpp"

namespace gridlock::model {
namespace {

double elements(double rows, std::int64_t columns) { return rows * static_cast<double>(columns); }

// The four linear layers, with the columns of this GPU.
Linear qkv(const BlockInput& in) { return {"qkv", in.model.hidden, in.qkv_columns()}; }
Linear projection(const BlockInput& in) { return {"projection", in.attention_columns(), in.model.hidden}; }
Linear up(const BlockInput& in) { return {"mlp.up", in.model.hidden, in.up_columns()}; }
Linear down(const BlockInput& in) { return {"mlp.down", in.ffn_columns(), in.model.hidden}; }

bool separate_bias(const BlockInput& in) { return in.model.bias && !in.profile.fused_epilogues; }

void rotary(BlockBuilder& block) {
  const BlockInput& in = block.input();
  if (in.model.learned_positions) return;
  block.stream("rotary", elements(static_cast<double>(in.rows()), in.attention_columns() + in.kv_columns()) * (2 + 2));
}

void residual_forward(BlockBuilder& block, const std::string& label) {
  const BlockInput& in = block.input();
  block.stream(label, elements(in.sharded_rows(), in.model.hidden) * (2 + 2 + 2 + (in.model.dropout ? 1 : 0)));
}

void residual_backward(BlockBuilder& block, const std::string& label) {
  const BlockInput& in = block.input();
  const double values = elements(in.sharded_rows(), in.model.hidden);
  if (in.model.dropout) block.stream(label + ".backward", values * (2 + 1 + 2));
  if (separate_bias(in)) block.stream(label + ".bias_gradient", values * 2);
}

void forward_ops(BlockBuilder& block) {
  const BlockInput& in = block.input();
  const auto rows = static_cast<double>(in.rows());
  norm_forward(block, "norm1");
  column_forward(block, qkv(in));
  if (separate_bias(in)) block.stream("qkv.bias", elements(rows, in.qkv_columns()) * (2 + 2));
  rotary(block);
  attention_forward(block);
  row_forward(block, projection(in));
  residual_forward(block, "residual1");
  norm_forward(block, "norm2");
  column_forward(block, up(in));
  block.stream("activation", (elements(rows, in.up_columns()) + elements(rows, in.ffn_columns())) * 2);
  row_forward(block, down(in));
  residual_forward(block, "residual2");
}

void backward_ops(BlockBuilder& block) {
  const BlockInput& in = block.input();
  const auto rows = static_cast<double>(in.rows());
  const double joined = elements(in.sharded_rows(), in.model.hidden) * (2 + 2 + 2);
  residual_backward(block, "residual2");
  row_backward(block, down(in));
  block.stream("activation.backward", (2 * elements(rows, in.up_columns()) + elements(rows, in.ffn_columns())) * 2);
  if (separate_bias(in)) block.stream("mlp.up.bias_gradient", elements(rows, in.up_columns()) * 2);
  column_backward(block, up(in));
  norm_backward(block, "norm2");
  block.stream("residual1.join", joined);
  residual_backward(block, "residual1");
  row_backward(block, projection(in));
  if (in.recompute == Recompute::selective) attention_forward(block);
  attention_backward(block);
  rotary(block);
  if (in.profile.attention == Attention::unfused) block.stream("qkv.join", elements(rows, in.qkv_columns()) * (2 + 2));
  if (separate_bias(in)) block.stream("qkv.bias_gradient", elements(rows, in.qkv_columns()) * 2);
  column_backward(block, qkv(in));
  norm_backward(block, "norm1");
  block.stream("norm1.join", joined);
}

}  // namespace

Block layer_forward(const BlockInput& input) {
  BlockBuilder block("layer.forward", input);
  forward_ops(block);
  return block.finish();
}

Block layer_backward(const BlockInput& input) {
  BlockBuilder block("layer.backward", input);
  if (input.recompute == Recompute::full) forward_ops(block);
  backward_ops(block);
  return block.finish();
}

}  // namespace gridlock::model
