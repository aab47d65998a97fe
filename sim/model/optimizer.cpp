#include "sim/model/optimizer.hpp"

#include <cmath>
#include <string>

#include "sim/model/block_builder.hpp"

namespace gridlock::model {
namespace {

// A multi-tensor launch takes at most 320 chunks of 65,536 elements (NVIDIA Apex, multi_tensor_apply.cuh).
constexpr double elements_per_launch = 320.0 * 65536;

void pass(BlockBuilder& block, const std::string& label, double parameters, double bytes_each) {
  block.stream(label, parameters * bytes_each, std::ceil(parameters / elements_per_launch));
}

}  // namespace

Block gradient_norm(const BlockInput& input, double parameters) {
  BlockBuilder block("gradient_norm", input);
  const double g = input.gradient_bytes;
  if (input.loss_scaling) pass(block, "gradients.unscale", parameters, g + g);
  pass(block, "gradients.norm", parameters, g);
  return block.finish();
}

Block optimizer_step(const BlockInput& input, double parameters_updated, double parameters_held) {
  BlockBuilder block("optimizer", input);
  const double g = input.gradient_bytes;
  pass(block, "gradients.clip", parameters_updated, g + g);
  pass(block, "adam", parameters_updated, (4 + 4 + 4 + g) + (4 + 4 + 4));
  pass(block, "weights.cast", parameters_updated, 4 + 2);
  pass(block, "gradients.clear", parameters_held, g);
  return block.finish();
}

}  // namespace gridlock::model
