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

// What a folded run costs: folding leaves as many tasks as the classes of ranks have together. Measured on the ecmp flagship,
// where none are alike: 1.4 us and 65 bytes for each of 10.7 million.
struct FoldedCost {
  double tasks = 0, seconds = 0, bytes = 0;

  bool excessive() const { return seconds > 600 || bytes > 16e9; }
  std::string text() const;  // "hardly any ranks are alike, 3.4e+08 tasks remain: about 8 min and 22 GB of memory"
};

// `samples` more runs, one on each of `cpus` at a time, find the error of the step time.
FoldedCost folded_cost(double tasks, int samples = 0, int cpus = 1);

}  // namespace gridlock::report
