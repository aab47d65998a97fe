// A program as the executor walks it: the tasks of each stream, who waits for whom, and the runs of blocks that nothing
// interrupts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/parallel/step_graph.hpp"

namespace gridlock::engine {

using parallel::Index;

struct ProgramIndex {
  explicit ProgramIndex(const parallel::Program& program);

  std::vector<std::vector<Index>> stream_tasks;  // by stream, in program order
  std::vector<Index> position;                   // by task: its place in its stream
  std::vector<Index> first_successor;            // by task, and one more: successors[first_successor[t], first_successor[t+1])
  std::vector<Index> successors;                 // tasks that name t in their dependencies
  std::vector<Index> ordinal;                    // collectives, sends, receives: how many of the same slot and kind come before

  std::vector<std::vector<Index>> sends;  // by message slot: its send tasks in order

  // Consecutive blocks of the compute stream in which only the last one is waited for by another stream, and only the first one
  // waits for another stream: they can run as one activity. By task: the last block of its run; meaningful for blocks.
  std::vector<Index> run_end;

  std::span<const Index> successors_of(Index task) const {
    return {successors.data() + first_successor[task], successors.data() + first_successor[task + 1]};
  }
};

}  // namespace gridlock::engine
