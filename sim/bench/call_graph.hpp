// The step graph and traffic of collectives that run in rounds: the calls of a round start together, and the next round starts
// when all of them have ended.
//
// Every job has a stream and a communicator slot for each of its levels; a rank's program is that of the jobs it belongs to.
// Rounds are kept apart by a call of no time on a communicator of all ranks; a single job with one communicator needs none.
#pragma once

#include "sim/bench/job.hpp"
#include "sim/engine/timeline.hpp"
#include "sim/parallel/traffic.hpp"

namespace gridlock::bench {

struct Turn {
  std::size_t job = 0;
  const Row* row = nullptr;
};
using Round = std::vector<Turn>;

struct CallGraph {
  parallel::StepGraph graph;
  parallel::Traffic traffic;
  std::vector<std::vector<std::vector<parallel::Index>>> calls;  // by round, turn and phase: into graph.calls
};

// Throws std::invalid_argument when there are more jobs than slots for them.
CallGraph make_call_graph(const Machine& machine, const std::vector<Job>& jobs, const std::vector<Round>& rounds);

// When a call started and ended, over all communicators that ran it.
struct CallSpan {
  double start_s = 0, end_s = 0;
};
std::vector<CallSpan> call_spans(const CallGraph& calls, const engine::Timeline& timeline);

}  // namespace gridlock::bench
