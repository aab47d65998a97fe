// Memory of every pipeline stage of a scenario, and what would make a layout fit that does not.
#pragma once

#include <string>
#include <vector>

#include "sim/model/memory.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridlock::parallel {

struct MemoryUse {
  int stage = 0;  // the fullest
  model::MemoryParts parts;
  double capacity_bytes = 0;
  bool fits() const { return parts.total() <= capacity_bytes; }
};

// The fullest stage (ties: the first).
MemoryUse memory_use(const scenario::Scenario& scenario);

// Single changes of the layout, nearest first, each with the memory it leads to, that fit: "recompute: full (61.2 GB)".
// Empty when none of those tried fits.
std::vector<std::string> changes_that_fit(const scenario::Scenario& scenario);

}  // namespace gridlock::parallel
