// The part of a scenario that the model's blocks and memory depend on.
#pragma once

#include "sim/model/block_input.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridlock::parallel {

model::BlockInput block_input(const scenario::Scenario& scenario);

}  // namespace gridlock::parallel
