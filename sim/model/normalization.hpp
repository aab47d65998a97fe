// LayerNorm and RMSNorm over the rows of this GPU; bytes in layer.hpp.
#pragma once

#include <string>

#include "sim/model/block_builder.hpp"

namespace gridlock::model {

void norm_forward(BlockBuilder& block, const std::string& label);
void norm_backward(BlockBuilder& block, const std::string& label);

}  // namespace gridlock::model
