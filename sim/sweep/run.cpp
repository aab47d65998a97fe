#include "sim/sweep/run.hpp"

#include "sim/sweep/interrupt.hpp"
#include "sim/sweep/knee.hpp"

namespace gridlock::sweep {

void run_tasks(Workers& workers, const std::function<std::optional<Task>()>& next,
               const std::function<void(const Outcome&)>& ended) {
  constexpr int patience_ms = 200;  // how late a signal between two waits may be noticed
  std::vector<Outcome> outcomes;
  for (bool more = true;;) {
    while (more && !interrupted() && workers.running() < workers.slots()) {
      std::optional<Task> task = next();
      more = task.has_value();
      if (more) workers.start(std::move(*task));
    }
    // Recording takes its time: the next points are running by then.
    for (const Outcome& outcome : outcomes) ended(outcome);
    if (interrupted()) throw Interrupted();
    if (workers.running() == 0) return;
    outcomes = workers.wait(patience_ms);
  }
}

void run_grid(ResultFile& file, Workers& workers, const Shard& shard, const Progress& progress) {
  const Grid& grid = file.grid();
  const std::uint64_t all = (grid.size() + shard.of - 1 - shard.part) / shard.of;
  std::uint64_t index = shard.part;
  const auto next = [&]() -> std::optional<Task> {
    while (index < grid.size() && file.has(index)) index += shard.of;
    if (index >= grid.size()) return std::nullopt;
    Task task;
    task.place.index = static_cast<std::int64_t>(index);
    task.place.values = grid.values(index);
    task.overrides = grid.overrides(task.place.values);
    index += shard.of;
    return task;
  };
  progress(file.grid_points(), all, file.failed_points());
  run_tasks(workers, next, [&](const Outcome& outcome) {
    file.append(outcome.line);
    progress(file.grid_points(), all, file.failed_points());
  });
  file.sync();
}

void run_refinement(ResultFile& file, Workers& workers, const Progress& progress) {
  for (auto wanted = wanted_points(file); !wanted.empty(); wanted = wanted_points(file)) {
    std::size_t at = 0;
    const auto next = [&]() -> std::optional<Task> {
      if (at == wanted.size()) return std::nullopt;
      Task task;
      task.place.index = -1;
      task.place.values = wanted[at++];
      task.overrides = file.grid().overrides(task.place.values);
      return task;
    };
    std::uint64_t done = 0;
    run_tasks(workers, next, [&](const Outcome& outcome) {
      file.append(outcome.line);
      progress(++done, wanted.size(), 0);
    });
    file.sync();
  }
}

}  // namespace gridlock::sweep
