#include "sim/cli/sweep_options.hpp"

#include "sim/sweep/degrade.hpp"
#include "sim/sweep/values.hpp"

namespace gridlock::cli {

std::vector<std::string> degrade_overrides(const std::vector<std::string>& degrade) {
  std::vector<std::string> overrides;
  try {
    for (const std::string& text : degrade) overrides.push_back(sweep::degrade_override(text));
  } catch (const sweep::SpecificationError& error) {
    throw UsageError(error.what());
  }
  return overrides;
}

std::vector<std::string> SweepOptions::overrides() const {
  std::vector<std::string> all = common.overrides();
  for (std::string& change : degrade_overrides(degrade)) all.push_back(std::move(change));
  return all;
}

void add_sweep_options(CLI::App& command, SweepOptions& options) {
  command.add_option("scenario", options.scenario, "scenario file (YAML)");
  add_common_options(command, options.common);
  command
      .add_option("--vary", options.vary,
                  "values of a scenario key: PATH=A..B:N, PATH=log:A..B:N or PATH=a,b,c (several make a grid; default: the "
                  "scenario's `sweep:` block)")
      ->allow_extra_args(false);
  command.add_option("--zip", options.zip, "values that change together: 'PATH=a,b;PATH=c,d'")->allow_extra_args(false);
  CLI::Option* scale = command.add_option("--scale", options.scale, "more GPUs for the same job: gpus=1024..16384 (doublings)");
  command.add_option("--hold", options.hold, "with --scale: batch.global (strong scaling, default) or batch.per_replica (weak)")
      ->needs(scale);
  command.add_flag("--sensitivity", options.sensitivity, "what a tenth more or less of each bandwidth and profile value changes");
  command.add_option("--each-link", options.each_link,
                     "what one cable of each class of links costs: at a factor such as 0.5, or down");
  command
      .add_option("--degrade", options.degrade,
                  "make something slower: link:PATTERN=0.5, link:PATTERN=down, gpu:77=0.8 (repeatable)")
      ->allow_extra_args(false);
  command.add_option("-j,--jobs", options.jobs, "points simulated at once (default: the cores)")->check(CLI::Range(1, 4096));
  command.add_flag("--resume", options.resume, "go on with the -o file of a sweep that was stopped");
  command.add_option("--shard", options.shard, "run part I of N only: I/N, counted from 1 (join the files with --merge)");
  command.add_option("--merge", options.merge,
                     "join these files of shards (into the -o file, where given) instead of simulating");
  command.add_option("--html", options.html, "write a report with charts, one file that needs no network")->check(file_name);
  command.add_option("--csv", options.csv, "write the points to this file as CSV")->check(file_name);
  command.add_option("--knee", options.knee, "how much slower than the plateau the knee is (default 5%; 0 looks for none)");
  command.add_flag("--ignore-memory", options.ignore_memory, "run points that do not fit in GPU memory");
  command.add_flag("--yes", options.yes, "run even if it is long: more than 100,000 points");
}

}  // namespace gridlock::cli
