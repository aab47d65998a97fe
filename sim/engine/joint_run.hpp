// A run of blocks of a tensor group whose calls take fixed times: worked out, not simulated, once all members have come to it.
//
//   start of a kernel on a member = max(end of the segment before it on its stream, ends of the segments it waits for)
//   start of a call on a member   = likewise; it ends on all of them at max over members (start) + its time
//
// The members may arrive at different times and run at different speeds. An early one stays ahead wherever it does not wait for a
// call: in a backward pass its weight gradient hides behind the group's reduce-scatter, and it may end the block earlier.
//
// Worked example: kernel a (2 ms), a call (1 ms) after a, kernel b (3 ms) after a, beside the call. Member 0 arrives at 0, member
// 1 at 1 ms: the call runs from 3 to 4 on both; b ends at 5 on member 0 and at 6 on member 1, and so do their blocks.
#pragma once

#include <span>
#include <vector>

#include "sim/engine/block_timing.hpp"
#include "sim/engine/timeline.hpp"

namespace gridlock::engine {

struct JointMember {
  Index rank = 0;  // rank class
  double arrival = 0;
  const std::vector<BlockTiming>* timings = nullptr;  // by block: durations of its kernels and calls at this member's speed
  std::vector<double> block_ends;                     // result: by block of the run
  std::vector<SegmentTime> segments;                  // result: block after block; `instance` numbers the run's calls from 0
};

// `run`: block tasks of `program`, the same for all members. `segments`: by block of the step graph. Returns the calls in order.
std::vector<CallInstance> work_out(const parallel::StepGraph& graph, const parallel::Program& program, std::span<const Index> run,
                                   std::span<const std::vector<Segment>> segments, std::span<JointMember> members);

}  // namespace gridlock::engine
