// What is refused before it is simulated: layouts that do not fit in GPU memory, and steps of absurdly many tasks.
#pragma once

#include <optional>
#include <string>

#include "sim/scenario/scenario.hpp"

namespace gridlock::report {

// Throws scenario::InvalidScenario, with what would fit, when a stage needs more memory than its GPUs have; with `ignore` that
// becomes a warning of the scenario.
void require_memory(scenario::Scenario& s, bool ignore);

// Why the step is too long to be meant: "... make 3e8 tasks, about 15 min and 60 GB; look at batch.global". Nothing when it is
// not.
std::optional<std::string> too_long(const scenario::Scenario& s);

}  // namespace gridlock::report
