#include "sim/sweep/measure.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "sim/engine/executor.hpp"
#include "sim/parallel/step_builder.hpp"
#include "sim/report/admission.hpp"
#include "sim/scenario/load.hpp"
#include "sim/sweep/cables.hpp"
#include "sim/sweep/causes.hpp"
#include "topology/error.hpp"

namespace gridlock::sweep {
namespace {

// Rounding of a sum of some thousand intervals is far below this; a state that was forgotten is far above.
constexpr double tolerance = 1e-9;

void check_sum(const char* what, double sum, double step_s) {
  if (std::abs(sum - step_s) > tolerance * step_s)
    throw std::logic_error(fmt::format("{} adds up to {} s of a step of {} s", what, sum, step_s));
}

template <class Seconds>
double total(const Seconds& seconds) {
  double sum = 0;
  for (const double s : seconds) sum += s;
  return sum;
}

void check_sums(const Point& p) {
  check_sum("the breakdown", total(p.breakdown), p.step_s);
  check_sum("the critical path", total(p.critical_path), p.step_s);
  double causes = 0;
  for (const Cause& c : p.causes) causes += c.seconds;
  check_sum("the list of causes", causes, p.step_s);
}

std::string first_of(const scenario::InvalidScenario& error) {
  const std::size_t more = error.diagnostics.size() - 1;
  const std::string first = scenario::one_line(error.diagnostics.front());
  return more == 0 ? first : fmt::format("{} (and {} more)", first, more);
}

std::unique_ptr<engine::Simulation> simulate(const scenario::Scenario& s, const MeasureOptions& options) {
  try {
    topology::Fabric fabric = topology::build_fabric(s.cluster, s.profile.links, s.faults.links);
    if (!options.scaled_cables.empty()) scale_cables(fabric, options.scaled_cables, options.scale);
    engine::SimulationOptions how;
    how.before_run = [&](double tasks) {
      if (const report::FoldedCost cost = report::folded_cost(tasks); cost.excessive() && !options.yes)
        throw scenario::InvalidScenario(
            scenario::locate(s, "cluster", cost.text(), "look at routing: ecmp and placement; --yes runs it"));
    };
    return engine::simulate(std::move(fabric), parallel::build_step_graph(s), {.tuning = s.profile.tuning, .forced = {}}, s.seed,
                            how);
  } catch (const topology::SpecError& error) {
    throw scenario::InvalidScenario(scenario::locate(s, error.path, error.what(), error.help));
  }
}

}  // namespace

void fill_point(const report::RunReport& r, Point& p) {
  p.step_s = r.step.time_s;
  p.tokens_per_s_per_gpu = r.step.tokens_per_s_per_gpu;
  p.mfu_full = r.step.mfu_full;
  p.mfu_causal = r.step.mfu_causal;
  p.hfu = r.step.hfu;
  p.memory_bytes = r.memory.parts.total();
  p.gpus = r.scenario.parallelism.ranks();
  p.breakdown = r.breakdown.mean;
  for (std::size_t s = 0; s < analysis::state_count; ++s) p.critical_path[s] = r.critical_path.seconds[s];
  p.critical_path[analysis::state_count] = r.critical_path.latency_s;
  p.causes = causes_of(r);
  p.links = link_use(r);
  p.algorithms = algorithms_of(r);
  name_bottleneck(p);
  p.fingerprint = fmt::format("{:016x}", r.simulation.timeline.fingerprint);
}

Point measure(const scenario::SourcePtr& source, const std::vector<std::string>& overrides, const MeasureOptions& options,
              Point place) {
  scenario::Scenario s = scenario::load_scenario(source, overrides);
  if (const auto endless = report::too_long(s); endless && !options.yes)
    throw scenario::InvalidScenario(scenario::locate(s, "batch", *endless, "--yes runs it anyway"));
  report::require_memory(s, options.ignore_memory);
  const std::unique_ptr<engine::Simulation> simulation = simulate(s, options);
  const report::RunReport report(s, *simulation);
  fill_point(report, place);
  check_sums(place);
  return place;
}

std::string measure_line(const scenario::SourcePtr& scenario, const std::vector<std::string>& overrides,
                         const MeasureOptions& options, const Point& place) noexcept {
  Point failed = place;
  try {
    return point_json(measure(scenario, overrides, options, place)).dump();
  } catch (const scenario::InvalidScenario& error) {
    failed.error = first_of(error);
  } catch (const engine::Deadlock& error) {
    failed.error = fmt::format("the simulated step deadlocks: {}", error.what());
  } catch (const std::logic_error& error) {
    failed.error = fmt::format("internal error: {}", error.what());
  } catch (const std::exception& error) {
    failed.error = error.what();
  }
  return point_json(failed).dump();
}

}  // namespace gridlock::sweep
