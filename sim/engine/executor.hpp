// Runs the programs of all rank classes against a backend: a ready queue of counters, no event loop of its own.
//
// Streams run their tasks in program order, so nothing depends on the order of events inside one instant: ties cannot reorder
// work. After the run every task must be done; otherwise the programs dead-lock and the run ends in a Deadlock.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "sim/engine/backend.hpp"
#include "sim/engine/timeline.hpp"

namespace gridlock::engine {

struct ExecutorOptions {
  bool contract = true;  // false: every kernel and call is simulated
};

// The simulated programs wait for each other for ever; one line a blocked rank class.
struct Deadlock : std::runtime_error {
  explicit Deadlock(std::vector<std::string> lines);
  std::vector<std::string> blocked;
};

Timeline execute(const Problem& problem, Backend& backend, const ExecutorOptions& options);

}  // namespace gridlock::engine
