// gridlock run SCENARIO: simulate the step and say where its time goes.

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "sim/cli/background.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/exit_codes.hpp"
#include "sim/cli/run_jobs.hpp"
#include "sim/cli/run_matmul.hpp"
#include "sim/cli/sweep_options.hpp"
#include "sim/cli/writable.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/report/admission.hpp"
#include "sim/report/format.hpp"
#include "sim/report/html/assets.hpp"
#include "sim/report/html/page.hpp"
#include "sim/report/html/run_page.hpp"
#include "sim/report/result_json.hpp"
#include "sim/report/run_report.hpp"
#include "sim/report/summary.hpp"
#include "sim/report/trace.hpp"
#include "sim/report/why.hpp"
#include "sim/scenario/load.hpp"
#include "sim/scenario/matmul.hpp"
#include "sim/sweep/local_pool.hpp"
#include "sim/sweep/measure.hpp"
#include "sim/uncertainty/propagate.hpp"
#include "sim/whatif/trials.hpp"
#include "topology/error.hpp"

namespace gridlock::cli {
namespace {

constexpr std::size_t explained_findings = 5;  // whose remedies --why tries out

struct RunOptions {
  Common common;
  std::string scenario;
  bool no_fold = false, ignore_memory = false, reproducible = false, yes = false, why = false;
  std::optional<std::uint32_t> rank;
  std::string trace, html, profile;
  std::vector<std::string> with, background, degrade;
  int samples = 20;

  std::vector<std::string> overrides() const {
    std::vector<std::string> all = common.overrides();
    if (!profile.empty()) all.insert(all.begin(), profile_override(profile));
    return all;
  }
};

// Products cost microseconds to compute: enough for two digits of an error.
constexpr int matmul_samples = 2000;

double peak_rss_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

// An unfolded run simulates every kernel of every rank. Measured: about 300,000 activities a second.
void announce_full_run(const RunOptions& options, const scenario::Scenario& s) {
  const double layers = s.model.layers, passes = 2.0 * static_cast<double>(s.micro_batches()) * s.steps;
  const double activities = layers / s.parallelism.pipeline * passes * 20 * s.parallelism.ranks();
  const double estimate = activities / 3e5;
  if (estimate > 600 && !options.yes)
    throw UsageError(fmt::format("unfolded this takes about {} ({:.2g} activities); add --yes to run it anyway",
                                 report::seconds(estimate), activities));
  if (estimate > 2 && !options.common.quiet)
    tell(fmt::format("unfolded: about {:.2g} activities, {}\n", activities, report::seconds(estimate)));
}

void announce_folded_run(const RunOptions& options, double tasks, int samples) {
  const int cpus = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
  const report::FoldedCost cost = report::folded_cost(tasks, samples, cpus);
  if (cost.excessive() && !options.yes) throw UsageError(cost.text() + "; look at routing: ecmp and placement, or add --yes");
  if (cost.seconds > 5 && !options.common.quiet) tell(cost.text() + "\n");
}

// The results must not overwrite an input, nor each other.
void check_outputs(const RunOptions& options, const scenario::Scenario& s) {
  const auto same = [](const std::string& a, const std::string& b) {
    std::error_code ignored;
    return a == b || std::filesystem::equivalent(a, b, ignored);
  };
  for (const std::string& output : {options.common.output, options.trace, options.html}) {
    if (output.empty()) continue;
    for (const scenario::InputFile& file : s.files)
      if (same(output, file.path))
        throw UsageError(fmt::format("{} is an input of this run: write the result elsewhere", output));
  }
  if (!options.trace.empty() && options.trace == options.common.output) throw UsageError("-o and --trace name the same file");
  if (!options.html.empty() && (options.html == options.common.output || options.html == options.trace))
    throw UsageError("--html names the file of -o or --trace");
  for (const std::string& output : {options.common.output, options.trace, options.html}) require_writable(output);
}

int exit_code(const scenario::Scenario& s, double step_s) {
  if (s.expect_max_step_s && step_s > *s.expect_max_step_s) {
    tell(fmt::format("expectation failed: step time {} is above {}\n", report::seconds(step_s),
                     report::seconds(*s.expect_max_step_s)));
    return ExitCode::expectation_failed;
  }
  if (s.expect_min_step_s && step_s < *s.expect_min_step_s) {
    tell(fmt::format("expectation failed: step time {} is below {}\n", report::seconds(step_s),
                     report::seconds(*s.expect_min_step_s)));
    return ExitCode::expectation_failed;
  }
  return ExitCode::done;
}

// Refuses what is too long, or does not fit.
void admit(const RunOptions& options, scenario::Scenario& s) {
  if (const auto endless = report::too_long(s); endless && !options.yes) throw UsageError(*endless + ", or add --yes");
  report::require_memory(s, options.ignore_memory);
}

// The step without --degrade, simulated in a process of its own. 0 where it cannot be: the degraded one says why.
double healthy_step_s(const RunOptions& options) {
  const scenario::SourcePtr source = scenario::read_source(options.scenario);
  const sweep::MeasureOptions measure{options.ignore_memory, options.yes, "", 1};
  sweep::LocalPool one(
      1, [&](const sweep::Task& task) { return sweep::measure_line(source, options.overrides(), measure, task.place); });
  one.start({});
  for (;;)
    for (const sweep::Outcome& outcome : one.wait(-1)) {
      const sweep::Point point = sweep::point_of_json(nlohmann::ordered_json::parse(outcome.line));
      return point.failed() ? 0 : point.step_s;
    }
}

// With the other jobs' scenarios; --set, --seed and --background hold for all.
int run_with(const RunOptions& options, const scenario::Scenario& first) {
  if (options.why)
    throw UsageError(
        "--why explains the step of one job: leave --with out, and give the other job's load (see --with alone) as --background");
  if (options.rank || !options.trace.empty()) throw UsageError("--rank and --trace show one job: leave --with out");
  if (!options.degrade.empty())
    throw UsageError("--with compares jobs: write faults into their scenarios, or use --set, instead of --degrade");
  std::vector<std::unique_ptr<scenario::Scenario>> others;
  jobs::Scenarios jobs{&first};
  for (const std::string& file : options.with) {
    others.push_back(std::make_unique<scenario::Scenario>(scenario::load_scenario(file, options.overrides())));
    add_background(*others.back(), options.background);
    check_outputs(options, *others.back());
    admit(options, *others.back());
    jobs.push_back(others.back().get());
  }
  return run_jobs(options.common, jobs, !options.no_fold, options.html);
}

int run(const RunOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const auto say = [&](const std::string& what) {
    if (options.common.verbose > 0)
      tell(fmt::format("{:8.3f} s  {}\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), what));
  };
  std::vector<std::string> overrides = options.overrides();
  if (scenario::scenario_kind(options.scenario, overrides) == "matmul")
    return run_matmul(options.scenario, options.common, overrides, options.samples > 0 ? matmul_samples : 0);
  for (std::string& change : degrade_overrides(options.degrade)) overrides.push_back(std::move(change));
  scenario::Scenario s = scenario::load_scenario(options.scenario, overrides);
  say(fmt::format("read {} files", s.files.size()));
  add_background(s, options.background);
  check_outputs(options, s);
  admit(options, s);
  if (!options.with.empty()) return run_with(options, s);
  if (options.rank && *options.rank >= static_cast<std::uint32_t>(s.parallelism.ranks()))
    throw UsageError(fmt::format("--rank {}: the scenario has ranks 0 to {}", *options.rank, s.parallelism.ranks() - 1));
  if (options.no_fold) announce_full_run(options, s);

  const bool compares = !options.degrade.empty() && options.background.empty();  // the healthy run would lack the background
  const double healthy_s = compares ? healthy_step_s(options) : 0;
  std::optional<whatif::Trials> trials;
  if (options.why) trials.emplace(s, !options.no_fold);
  std::unique_ptr<engine::Simulation> simulation;
  std::optional<double> step_error_s;
  try {
    const bool samples = options.samples > 1 && !s.profile.uncertainty.standard_errors.empty();
    engine::SimulationOptions how{.fold = !options.no_fold};
    if (samples) {  // before this process simulates
      if (how.fold) announce_folded_run(options, engine::count_tasks(s, how), options.samples);
      step_error_s = uncertainty::step_time_error(s, options.samples, how);
    } else if (how.fold) {
      how.before_run = [&](double tasks) { announce_folded_run(options, tasks, 0); };
    }
    simulation = engine::simulate(s, how);
  } catch (const topology::SpecError& error) {
    throw scenario::InvalidScenario(scenario::locate(s, error.path, error.what(), error.help));
  }
  say(fmt::format("simulated {} activities, fingerprint {:016x}", simulation->timeline.activities,
                  simulation->timeline.fingerprint));
  report::RunReport result(s, *simulation);
  result.step.time_s_stderr = step_error_s;
  say("analysed");
  std::optional<report::Why> why;
  if (options.why || !options.html.empty()) why = report::find_reasons(result);
  if (options.why) {
    report::find_remedies(
        result, [&](const whatif::Change& change) { return trials->run(change); }, explained_findings, *why);
    say(fmt::format("tried {} changes", trials->count()));
  }
  const report::HostFigures host{std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
                                 peak_rss_bytes()};

  if (!options.trace.empty()) report::write_trace(result, options.trace, options.rank);
  std::string text = report::summary(result, host, !options.common.quiet);
  if (options.rank) text += report::rank_summary(result, *options.rank);
  if (options.why) text += report::why_text(result, *why);
  if (options.why && why->findings.size() > explained_findings)
    text += fmt::format("  what would end it has been simulated for the first {} of these\n", explained_findings);
  const bool wants_json = options.common.json || !options.common.output.empty() || !options.html.empty();
  const auto host_json = options.reproducible ? std::nullopt : std::optional(host);
  nlohmann::ordered_json json;
  if (wants_json) json = report::result_json(result, host_json);
  if (wants_json && why) json["why"] = report::why_json(result, *why);
  if (!options.degrade.empty() && healthy_s == 0)
    text += compares ? "  degraded: the step without it could not be simulated\n"
                     : "  degraded: not compared with the step without it, which --background would burden, too\n";
  if (healthy_s > 0) {
    const double cost_s = result.step.time_s - healthy_s;
    text += fmt::format("  degraded: {} against {} without, {:+.2f} %\n", report::seconds(result.step.time_s),
                        report::seconds(healthy_s), 100 * cost_s / healthy_s);
    if (wants_json) json["healthy"] = {{"time_s", healthy_s}, {"cost_s", cost_s}};
  }
  if (!options.html.empty())
    report::html::write_page(options.html, s.name, report::html::run_script, report::html::run_page_data(result, json));
  deliver(options.common, text, wants_json ? json.dump(2) + "\n" : "");
  return exit_code(s, result.step.time_s);
}

}  // namespace

void add_run(CLI::App& app, Run& chosen) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Simulate one training step");
  command->add_option("scenario", options->scenario, "scenario file (YAML)")->required();
  add_common_options(*command, options->common);
  command->add_flag("--no-fold", options->no_fold, "simulate every rank, link and kernel (slow; the check on folding)");
  command->add_flag("--ignore-memory", options->ignore_memory, "run a layout that does not fit in GPU memory");
  command
      ->add_option("--degrade", options->degrade,
                   "make something slower, and say what it costs: link:PATTERN=0.5, link:PATTERN=down, gpu:77=0.8 (repeatable)")
      ->allow_extra_args(false);
  command->add_flag("--reproducible", options->reproducible, "leave the host's wall time and memory out of the JSON");
  command->add_flag("--yes", options->yes, "run even if it takes long");
  command->add_flag("--why", options->why,
                    "say what GPUs wait for, biggest first, and what would end it, found by re-simulation");
  command
      ->add_option("--with", options->with,
                   "another scenario on the same machine (repeatable): the jobs at once, and what they cost each other")
      ->check(file_name)
      ->allow_extra_args(false);
  command->add_option("--background", options->background, "constant load of others on links: 'link:PATTERN=0.3' (repeatable)")
      ->allow_extra_args(false);
  command->add_option("--profile", options->profile, "profile to use instead of the scenario's: a name or a file");
  command
      ->add_option("--samples", options->samples,
                   "runs with drawn parameters, where the profile says its errors, for the error of the step time; 0: none")
      ->check(CLI::Range(0, 10000))
      ->capture_default_str();
  command->add_option("--rank", options->rank, "show this rank as well; with --trace, only this one");
  command->add_option("--html", options->html, "write a report with charts, one file that needs no network")->check(file_name);
  command->add_option("--trace", options->trace, "write a Chrome trace (FILE.json or FILE.json.gz) for ui.perfetto.dev")
      ->check(file_name);
  command->footer("example: gridlock run scenarios/gpt3-175b-4096xh100.yaml --set cluster.fabric.nic=200Gbps --rank 77");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace gridlock::cli
