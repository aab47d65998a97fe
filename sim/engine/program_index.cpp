#include "sim/engine/program_index.hpp"

#include <array>

namespace gridlock::engine {

using parallel::Task;
using parallel::TaskKind;

ProgramIndex::ProgramIndex(const parallel::Program& program) {
  const std::vector<Task>& tasks = program.tasks;
  stream_tasks.resize(program.streams);
  position.resize(tasks.size());
  ordinal.assign(tasks.size(), 0);
  std::array<std::array<Index, 256>, 4> seen{};
  for (Index t = 0; t < tasks.size(); ++t) {
    position[t] = static_cast<Index>(stream_tasks[tasks[t].stream].size());
    stream_tasks[tasks[t].stream].push_back(t);
    if (tasks[t].kind != TaskKind::block) ordinal[t] = seen[static_cast<std::size_t>(tasks[t].kind)][tasks[t].slot]++;
    if (tasks[t].kind == TaskKind::send) {
      if (sends.size() <= tasks[t].slot) sends.resize(tasks[t].slot + std::size_t{1});
      sends[tasks[t].slot].push_back(t);
    }
  }

  first_successor.assign(tasks.size() + 1, 0);
  for (Index dependency : program.dependencies) ++first_successor[dependency + 1];
  for (std::size_t t = 0; t < tasks.size(); ++t) first_successor[t + 1] += first_successor[t];
  successors.resize(program.dependencies.size());
  std::vector<Index> fill(first_successor.begin(), first_successor.end() - 1);
  const auto dependencies_of = [&](Index t) {
    return std::span<const Index>(program.dependencies.data() + tasks[t].first_dependency, tasks[t].dependency_count);
  };
  for (Index t = 0; t < tasks.size(); ++t)
    for (Index dependency : dependencies_of(t)) successors[fill[dependency]++] = t;

  const auto compute_only = [&](std::span<const Index> others) {
    for (Index other : others)
      if (tasks[other].stream != 0) return false;
    return true;
  };
  run_end.resize(tasks.size());
  for (Index t = static_cast<Index>(tasks.size()); t-- > 0;) {
    run_end[t] = t;
    if (tasks[t].kind != TaskKind::block || tasks[t].stream != 0 || position[t] + 1 == stream_tasks[0].size()) continue;
    const Index next = stream_tasks[0][position[t] + 1];
    const bool joins = tasks[next].kind == TaskKind::block && tasks[next].step == tasks[t].step &&
                       compute_only(successors_of(t)) && compute_only(dependencies_of(next));
    if (joins) run_end[t] = run_end[next];
  }
}

}  // namespace gridlock::engine
