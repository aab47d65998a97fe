#include "sim/model/head.hpp"

#include "sim/model/linear.hpp"
#include "sim/model/normalization.hpp"

namespace gridlock::model {
namespace {

Linear logits(const BlockInput& in) { return {"logits", in.model.hidden, in.vocab_columns(), false}; }

double logit_elements(const BlockInput& in) { return static_cast<double>(in.rows()) * static_cast<double>(in.vocab_columns()); }

void reduce_rows(BlockBuilder& block, const std::string& label) {
  block.blocking(label, collectives::Kind::all_reduce, 4.0 * static_cast<double>(block.input().rows()));
}

}  // namespace

Block head_forward(const BlockInput& input) {
  BlockBuilder block("head.forward", input);
  const double values = logit_elements(input);
  norm_forward(block, "final_norm");
  column_forward(block, logits(input));
  block.stream("loss.cast", values * (2 + 4));
  block.stream("loss.maximum", values * 4);
  reduce_rows(block, "loss.maximum.all_reduce");
  block.stream("loss.subtract", values * (4 + 4));
  block.stream("loss.exponentiate", values * (4 + 4));
  block.stream("loss.sum", values * 4);
  reduce_rows(block, "loss.target.all_reduce");
  reduce_rows(block, "loss.sum.all_reduce");
  block.stream("loss.normalize", values * (4 + 4));
  return block.finish();
}

Block head_backward(const BlockInput& input) {
  BlockBuilder block("head.backward", input);
  const double values = logit_elements(input);
  block.stream("loss.scale", values * (4 + 4));
  block.stream("loss.cast.backward", values * (4 + 2));
  column_backward(block, logits(input));
  norm_backward(block, "final_norm");
  return block.finish();
}

}  // namespace gridlock::model
