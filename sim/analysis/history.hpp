// Questions to a timeline that breakdown, critical path, loads and trace all ask.
#pragma once

#include "sim/engine/contraction.hpp"
#include "sim/engine/timeline.hpp"

namespace gridlock::analysis {

using engine::Index;
using engine::none;

class History {
 public:
  History(const engine::Problem& p, const engine::Timeline& t) : problem(p), timeline(t) {}

  const engine::Problem& problem;
  const engine::Timeline& timeline;

  const parallel::StepGraph& graph() const { return *problem.graph; }
  const parallel::Program& program(Index rank) const { return graph().programs[problem.ranks[rank].program]; }
  const parallel::Task& task(Index rank, Index t) const { return program(rank).tasks[t]; }
  const engine::ProgramIndex& index(Index rank) const { return timeline.programs[problem.ranks[rank].program]; }
  const engine::TaskTime& time(Index rank, Index t) const { return timeline.ranks[rank].tasks[t]; }
  bool reported(const parallel::Task& t) const { return t.step + 1 == graph().steps; }
  const model::Block& block(Index rank, Index t) const { return graph().blocks[task(rank, t).what]; }
  double speed(Index rank) const { return problem.ranks[rank].speed; }

  // Communicator class of a slot; none where the rank has none.
  Index communicator(Index rank, std::uint8_t slot) const;
  const engine::CallInstance& instance(Index rank, Index t) const;  // of a collective task

  // Blocks: true when simulated piece by piece.
  bool in_pieces(Index rank, Index t) const { return timeline.ranks[rank].segments[t] != none; }
  const engine::SegmentTime& segment_time(Index rank, Index t, std::size_t segment) const;
  // Of the collective op of a block in pieces.
  const engine::CallInstance& call_in_block(Index rank, Index t, std::int16_t op) const;
  const engine::BlockTiming& block_timing(Index rank, Index t) const;

  // The task whose end let task t start: the latest of the one before it on its stream and its dependencies (ties: the lowest
  // number); none for tasks that start with the simulation.
  Index cause(Index rank, Index t) const;

  // The sender's class and task of the message that a receive task got.
  struct Sender {
    Index rank, task, message;
  };
  Sender sender(Index rank, Index receive) const;
};

}  // namespace gridlock::analysis
