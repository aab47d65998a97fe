// What each communicator class, and each message class, did in the reported step.
#pragma once

#include <vector>

#include "sim/analysis/breakdown.hpp"
#include "sim/analysis/history.hpp"

namespace gridlock::analysis {

struct CallStatistics {
  bool is_message = false;
  Index subject = 0;  // communicator class, or message class
  Index call = 0;     // into StepGraph::calls, or transfers
  std::uint64_t calls = 0;
  double time_s = 0;     // from the last arrival to the end, all calls together, of one communicator
  double exposed_s = 0;  // mean over members: compute streams waiting for it after it had started
  Bound bound;
};

// Longest exposed first, then by time.
std::vector<CallStatistics> call_statistics(const History& history, const Breakdown& breakdown, const Bottlenecks& bottlenecks);

}  // namespace gridlock::analysis
