#include "sim/model/normalization.hpp"

namespace gridlock::model {
namespace {

double elements(const BlockInput& in) { return in.sharded_rows() * static_cast<double>(in.model.hidden); }

}  // namespace

void norm_forward(BlockBuilder& block, const std::string& label) { block.stream(label, elements(block.input()) * (2 + 2)); }

void norm_backward(BlockBuilder& block, const std::string& label) {
  const double values = elements(block.input());
  block.stream(label + ".dgrad", values * (2 + 2 + 2));
  if (!block.input().profile.fused_epilogues) block.stream(label + ".wgrad", values * (2 + 2));
}

}  // namespace gridlock::model
