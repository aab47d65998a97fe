#include "sim/engine/deadlock.hpp"

#include <fmt/format.h>

namespace gridlock::engine {

using parallel::Task;
using parallel::TaskKind;

std::string describe_task(const parallel::StepGraph& graph, const Task& task) {
  std::string what;
  switch (task.kind) {
    case TaskKind::block:
      what = graph.blocks[task.what].name;
      break;
    case TaskKind::collective:
      what = graph.calls[task.what].label;
      break;
    case TaskKind::send:
      what = "send " + graph.transfers[task.what].label;
      break;
    case TaskKind::receive:
      what = "receive " + graph.transfers[task.what].label;
      break;
  }
  if (task.micro_batch >= 0) what += fmt::format(" of micro-batch {}, chunk {}", task.micro_batch, task.chunk);
  return what + fmt::format(" in step {}", task.step + 1);
}

std::string describe_blocked(const Problem& problem, const ProgramIndex& index, Index rank_class, const std::vector<Index>& head,
                             const std::vector<std::uint16_t>& waiting) {
  const RankClass& rank = problem.ranks[rank_class];
  const parallel::Program& program = problem.graph->programs[rank.program];
  std::string line = fmt::format("rank {} ({} of {} ranks alike)", rank.example, program.name, rank.members);
  const char* separator = ": ";
  for (std::size_t s = 0; s < index.stream_tasks.size(); ++s) {
    if (head[s] == index.stream_tasks[s].size()) continue;
    const Task& task = program.tasks[index.stream_tasks[s][head[s]]];
    const bool started = waiting[index.stream_tasks[s][head[s]]] == 0;
    line += fmt::format("{}{} {}", separator, describe_task(*problem.graph, task), started ? "never ends" : "cannot start");
    separator = "; ";
  }
  return line;
}

}  // namespace gridlock::engine
