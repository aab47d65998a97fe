// gridlock sweep SCENARIO --vary PATH=A..B:N: how the step changes with values of the scenario.

#include <sched.h>

#include "sim/cli/sweep_options.hpp"
#include "sim/sweep/local_pool.hpp"

namespace gridlock::cli {
namespace {

// Those this process may run on, which a container or Slurm may have limited.
std::size_t cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<std::size_t>(CPU_COUNT(&set)) : 1;
}

int run(const SweepOptions& options) {
  return run_chosen(options, [&](sweep::Work work) -> std::unique_ptr<sweep::Workers> {
    return std::make_unique<sweep::LocalPool>(options.jobs > 0 ? options.jobs : cores(), std::move(work));
  });
}

}  // namespace

int run_chosen(const SweepOptions& options, const MakeWorkers& make_workers) {
  if (!options.merge.empty()) return run_merge(options);
  if (options.scenario.empty()) throw UsageError("a scenario is needed: gridlock sweep SCENARIO --vary PATH=A..B:N");
  const bool effects = options.sensitivity || !options.each_link.empty();
  return effects ? run_effects(options, make_workers) : run_sweep(options, make_workers);
}

void add_sweep(CLI::App& app, Run& chosen) {
  auto options = std::make_shared<SweepOptions>();
  CLI::App* command = app.add_subcommand("sweep", "Vary values of the scenario, and find knees and bottlenecks");
  add_sweep_options(*command, *options);
  command->footer(
      "example: gridlock sweep scenarios/gpt3-175b-4096xh100.yaml --vary cluster.fabric.nic=log:50..1600Gbps:11 -o nic.jsonl");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace gridlock::cli
