// The life of one rank class in the reported step, as an unbroken sequence of intervals of its compute stream.
#pragma once

#include <functional>

#include "sim/analysis/history.hpp"
#include "sim/analysis/state.hpp"

namespace gridlock::analysis {

struct Interval {
  double start = 0, end = 0;
  State state = State::other;
  Index task = none;                         // kernels: the block; waits: the task waited for
  std::int16_t op = -1;                      // kernels: op of the block; waits inside a block: the call waited for
  Index peer_rank = none, peer_task = none;  // waits for a receive: the sender's
};

// Calls `visit` with intervals in order, covering [window_start, window_end] without gap or overlap. Empty ones are left out.
void visit_states(const History& history, Index rank, const std::function<void(const Interval&)>& visit);

}  // namespace gridlock::analysis
