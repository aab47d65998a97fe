// Runs a call graph through folding and the engine.
#pragma once

#include "sim/bench/call_graph.hpp"

namespace gridlock::bench {

// One a process (SimGrid). Start and end of every call.
std::vector<CallSpan> run_calls(const Machine& machine, const CallGraph& calls, bool folded, EngineFigures& figures);

// From the start of the first call of a turn to the end of its last; fills in the times of the phases where there are any.
double turn_seconds(const std::vector<CallSpan>& spans, const std::vector<parallel::Index>& calls, std::vector<Phase>& phases);

}  // namespace gridlock::bench
