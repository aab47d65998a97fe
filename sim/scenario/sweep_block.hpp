// The key `sweep:` of a scenario as written; sim/sweep makes axes of it. No property of the step: Scenario does not have it.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace gridlock::scenario {

struct SweepBlock {
  struct Axis {
    // Path and values: a single text is a range or a list, several are the values themselves. Several columns are zipped.
    std::vector<std::pair<std::string, std::vector<std::string>>> columns;
  };
  std::vector<Axis> axes;
};

// Empty where the scenario has none. Throws as load_scenario does.
SweepBlock load_sweep_block(const std::string& path, const std::vector<std::string>& overrides);

}  // namespace gridlock::scenario
