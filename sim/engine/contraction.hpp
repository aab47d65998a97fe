// Exact contraction (design: folding): what has a fixed duration needs no simulation.
//
// A communicator is exclusive when each link of its flows is crossed by that flow alone, at any time: its calls then take
//   latency + max over flows ( share * wire_bytes / min(cap share, min over links capacity / weight) )
// after the last arrival. When its members also run the same program, they come to the same runs of blocks one after the other,
// and a run lasts equally long for all of them where they arrive together; where they do not, it is worked out (joint_run.hpp).
#pragma once

#include <vector>

#include "sim/engine/block_timing.hpp"
#include "sim/engine/problem.hpp"

namespace gridlock::engine {

// Sets CommunicatorClass::exclusive.
void mark_exclusive(Problem& problem);

// Most bytes per second (wire) that flow `flow` may move in a call with this plan.
double flow_rate_cap(const parallel::CallPlan& plan, const FlowClass& flow);

// The flows of a call, and its time on links that nobody else uses. REQUIRES, for the time, an exclusive communicator.
const FlowRange& flows_of_call(const Problem& problem, const CommunicatorClass& communicator, Index call);
double exclusive_call_seconds(const Problem& problem, const CommunicatorClass& communicator, Index call);

// True when the blocks of the communicator's members may run jointly.
bool runs_in_lockstep(const Problem& problem, const CommunicatorClass& communicator);

// Timing of each block for a rank class of given tensor communicator class (none = has none) and speed. Blocks with calls are
// timed only where the communicator is exclusive.
std::vector<BlockTiming> time_blocks(const Problem& problem, Index communicator, double speed);

}  // namespace gridlock::engine
