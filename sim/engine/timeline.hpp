// What happened: start and finish of every task of every rank class, and of the pieces inside blocks that were simulated one by
// one. The data every report is made from.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/engine/block_timing.hpp"
#include "sim/engine/problem.hpp"
#include "sim/engine/program_index.hpp"

namespace gridlock::engine {

struct TaskTime {
  double start = 0, finish = 0;  // a collective starts when this rank arrives; a receive when it is posted
};

// One call of a communicator class: `joined` is the arrival of its last member.
struct CallInstance {
  double joined = 0, finish = 0;
  Index call = none;                         // none: not a call but a joint run of blocks
  Index last_rank = none, last_task = none;  // who came last (ties: the lowest class)
  std::int16_t last_segment = -1;            // for calls inside blocks
};

// A segment of a block that was simulated piece by piece.
struct SegmentTime {
  double start = 0, finish = 0;
  Index instance = none;  // collectives: into Timeline::instances of the tensor communicator class
};

struct RankTimeline {
  std::vector<TaskTime> tasks;
  std::vector<Index> calls;                // by task: instance of a collective, none for other tasks
  std::vector<Index> segments;             // by task: first entry in `segment_times`, none for blocks that ran as one
  std::vector<SegmentTime> segment_times;  // last step only
};

// A flow of the last step, for link loads.
struct FlowRecord {
  Index flow = 0;
  double start = 0, finish = 0, bytes = 0;
};

struct Timeline {
  std::vector<ProgramIndex> programs;
  std::vector<std::vector<Segment>> segments;           // by block, as executed
  std::vector<std::vector<BlockTiming>> block_timings;  // by timing class, by block: blocks that ran as one
  std::vector<Index> timing_class;                      // by rank class: into block_timings
  std::vector<RankTimeline> ranks;                      // by rank class
  std::vector<std::vector<CallInstance>> instances;     // by communicator class
  std::vector<FlowRecord> flows;
  std::vector<double> step_end;   // by step: when the last task of the step ended, over all ranks
  std::uint64_t activities = 0;   // started in the simulation kernel
  std::uint64_t fingerprint = 0;  // hash of all start and finish times

  double window_start() const { return step_end.size() > 1 ? step_end[step_end.size() - 2] : 0; }
  double window_end() const { return step_end.back(); }
  double step_seconds() const { return window_end() - window_start(); }
};

}  // namespace gridlock::engine
