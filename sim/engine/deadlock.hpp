// Words for a rank that cannot go on.
#pragma once

#include <string>
#include <vector>

#include "sim/engine/problem.hpp"
#include "sim/engine/program_index.hpp"

namespace gridlock::engine {

// "ranks of class 3 (rank 17, 64 ranks): forward of micro-batch 5, chunk 0 waits for receive ...". `head` and `waiting` are the
// executor's: next task of each stream, and unfinished dependencies of each task.
std::string describe_blocked(const Problem& problem, const ProgramIndex& index, Index rank_class, const std::vector<Index>& head,
                             const std::vector<std::uint16_t>& waiting);

// "receive pp.forward (micro-batch 3, chunk 0)".
std::string describe_task(const parallel::StepGraph& graph, const parallel::Task& task);

}  // namespace gridlock::engine
