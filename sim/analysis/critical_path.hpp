// The chain of operations that decides how long the step takes, walked back from its end: each operation, then the one whose
// end let it start (ties: the lowest number), across ranks through the last arrival at a collective and the sender of a message.
// The seconds add up to the step time.
#pragma once

#include <vector>

#include "sim/analysis/history.hpp"
#include "sim/analysis/state.hpp"

namespace gridlock::analysis {

struct CriticalPath {
  Seconds seconds{};     // by state; straggler and bubble are always 0: the path runs where the delay comes from
  double latency_s = 0;  // of calls and messages on the path
  struct Piece {         // in order of time
    double start = 0, end = 0;
    Index rank = 0, task = 0;
  };
  std::vector<Piece> pieces;
};

CriticalPath find_critical_path(const History& history);

}  // namespace gridlock::analysis
