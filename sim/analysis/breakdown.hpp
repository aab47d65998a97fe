// Where the time of the step goes, as means over GPUs; and what each rank class waits for.
//
// The terms of a rank add up to the step time: its intervals cover the window without gap (rank_states.hpp).
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "sim/analysis/bottleneck.hpp"
#include "sim/analysis/history.hpp"
#include "sim/analysis/state.hpp"

namespace gridlock::analysis {

// All waits of a rank class of one sort: for the same operation, in the same state, bounded by the same thing.
struct Wait {
  std::string for_what;
  State state = State::other;
  double seconds = 0;
  Bound bound;
};

// Wait::for_what of ranks that are done before the step ends.
constexpr std::string_view end_of_step = "end of the step";

struct RankBreakdown {
  Seconds seconds{};
  std::vector<Wait> waits;  // longest first
};

struct Breakdown {
  std::vector<RankBreakdown> ranks;  // by rank class
  Seconds mean{};                    // over all ranks
  // (is a message, communicator or message class, call or transfer) -> seconds that a member's compute stream waited for it
  // after it had started, mean over the class's members (of a message: over senders and receivers).
  std::map<std::tuple<bool, Index, Index>, double> exposed;
};

Breakdown break_down(const History& history, const Bottlenecks& bottlenecks);

}  // namespace gridlock::analysis
