// Options of a sweep, and what running one does, for `gridlock sweep` and for its MPI twin.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/cli/command.hpp"
#include "sim/sweep/result_file.hpp"
#include "sim/sweep/workers.hpp"

namespace gridlock::cli {

struct SweepOptions {
  Common common;
  std::string scenario;
  std::vector<std::string> vary, zip;
  std::size_t jobs = 0;  // 0: as many as there are cores
  bool resume = false, yes = false, ignore_memory = false;
  std::string csv, html, shard, knee = "5%";
  std::string scale, hold = "batch.global";
  bool sensitivity = false;
  std::string each_link;  // factor, or "down"; empty: not asked for
  std::vector<std::string> degrade, merge;

  std::vector<std::string> overrides() const;  // --set, --seed, then --degrade
};

// --degrade as overrides. Throws UsageError.
std::vector<std::string> degrade_overrides(const std::vector<std::string>& degrade);

void add_sweep_options(CLI::App& command, SweepOptions& options);

// What a worker does with a point. Reads the scenario's file: throws scenario::FileError.
sweep::Work sweep_work(const SweepOptions& options);

using MakeWorkers = std::function<std::unique_ptr<sweep::Workers>(sweep::Work)>;  // called once everything has been checked

// One of those below, as the options say.
int run_chosen(const SweepOptions& options, const MakeWorkers& make_workers);

int run_sweep(const SweepOptions& options, const MakeWorkers& make_workers);
int run_effects(const SweepOptions& options, const MakeWorkers& make_workers);  // --sensitivity, --each-link
int run_merge(const SweepOptions& options);

// Table, CSV and JSON lines of a sweep, as asked for.
void deliver_sweep(const SweepOptions& options, const sweep::ResultFile& file);

}  // namespace gridlock::cli
