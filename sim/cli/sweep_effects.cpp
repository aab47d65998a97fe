// gridlock sweep --sensitivity and --each-link: one scenario, everything changed in turn.

#include <fmt/format.h>

#include <utility>

#include "sim/cli/exit_codes.hpp"
#include "sim/cli/sweep_options.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/scenario/load.hpp"
#include "sim/sweep/each_link.hpp"
#include "sim/sweep/interrupt.hpp"
#include "sim/sweep/local_pool.hpp"
#include "sim/sweep/number.hpp"
#include "sim/sweep/run.hpp"
#include "sim/sweep/sensitivity.hpp"
#include "sim/whatif/worker_failed.hpp"

namespace gridlock::cli {
namespace {

using nlohmann::ordered_json;

double parse_loss(const std::string& text) {
  if (text == "down") return 0;
  const auto number = sweep::split_number(text);
  if (!number || !number->unit.empty() || number->value < 0 || number->value >= 1)
    throw UsageError(fmt::format("--each-link '{}': write a factor from 0 to below 1, such as 0.5, or down", text));
  return number->value;
}

// One task in a child process of its own; what `work` returned.
std::string in_child(sweep::Work work) {
  sweep::LocalPool one(1, std::move(work));
  std::string line;
  bool started = false;
  const auto next = [&]() -> std::optional<sweep::Task> {
    return std::exchange(started, true) ? std::nullopt : std::optional(sweep::Task{});
  };
  sweep::run_tasks(one, next, [&](const sweep::Outcome& outcome) { line = outcome.line; });
  return line;
}

sweep::Point base_point(const SweepOptions& options) {
  const sweep::Point base = sweep::point_of_json(ordered_json::parse(in_child(sweep_work(options))));
  if (base.failed())
    throw whatif::WorkerFailed(whatif::Failure::invalid_scenario, "the scenario as it stands cannot be simulated: " + base.error);
  return base;
}

std::vector<sweep::LinkClass> link_classes(const scenario::Scenario& s) {
  const std::string line = in_child([&](const sweep::Task&) {
    const auto simulation = engine::simulate(s, {});
    return sweep::link_classes_json(report::RunReport(s, *simulation)).dump();
  });
  const ordered_json classes = ordered_json::parse(line);
  if (classes.is_object())  // a failed point: the process was killed, twice
    throw whatif::WorkerFailed(whatif::Failure::killed, classes.at("error").get<std::string>());
  return sweep::link_classes_of_json(classes);
}

int simulate_effects(const SweepOptions& options, const MakeWorkers& make_workers) {
  const scenario::Scenario s = scenario::load_scenario(options.scenario, options.overrides());
  const sweep::Point base = base_point(options);
  const auto workers = make_workers(sweep_work(options));
  std::string text = s.name + "\n", json;
  if (options.sensitivity) {
    const auto effects = sweep::find_effects(*workers, sweep::parameters_of(s, base), base);
    text += sweep::effects_text(effects, base);
    json += sweep::effects_json(effects, base).dump() + "\n";
  }
  if (!options.each_link.empty()) {
    const double factor = parse_loss(options.each_link);
    const auto losses = sweep::lose_each(*workers, link_classes(s), factor);
    text += sweep::losses_text(losses, base, factor);
    json += sweep::losses_json(losses, base, factor).dump() + "\n";
  }
  deliver(options.common, text, json);
  return ExitCode::done;
}

}  // namespace

int run_effects(const SweepOptions& options, const MakeWorkers& make_workers) {
  if (!options.vary.empty() || !options.zip.empty() || !options.scale.empty())
    throw UsageError("--sensitivity and --each-link are about the scenario as it stands: leave --vary, --zip and --scale out");
  if (!options.each_link.empty()) parse_loss(options.each_link);
  sweep::catch_interrupts();
  try {
    return simulate_effects(options, make_workers);
  } catch (const sweep::Interrupted&) {
    tell("interrupted\n");
    return ExitCode::interrupted;
  }
}

}  // namespace gridlock::cli
