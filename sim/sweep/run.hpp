// Keeps workers busy with points until all are in the result file.
#pragma once

#include <functional>
#include <optional>

#include "sim/sweep/result_file.hpp"
#include "sim/sweep/workers.hpp"

namespace gridlock::sweep {

// Part i of n (0 <= i < n): the grid points whose index leaves remainder i. Slurm arrays run one part each.
struct Shard {
  std::uint64_t part = 0, of = 1;
};

// Told after every point: points done of how many, and how many of them failed.
using Progress = std::function<void(std::uint64_t done, std::uint64_t all, std::uint64_t failed)>;

// Runs tasks from `next` until it gives none; `ended` gets each outcome as it comes. Throws Interrupted after Ctrl-C: what
// ended before has been handed over.
void run_tasks(Workers& workers, const std::function<std::optional<Task>()>& next,
               const std::function<void(const Outcome&)>& ended);

struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

// The points of the grid that the file does not have yet.
void run_grid(ResultFile& file, Workers& workers, const Shard& shard, const Progress& progress);

// Points between those of the grid, until every knee is enclosed narrowly (knee.hpp). Needs the whole grid.
void run_refinement(ResultFile& file, Workers& workers, const Progress& progress);

}  // namespace gridlock::sweep
