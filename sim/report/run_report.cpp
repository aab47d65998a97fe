#include "sim/report/run_report.hpp"

#include <fmt/format.h>

#include <numeric>

#include "sim/model/flops.hpp"
#include "sim/parallel/block_input.hpp"

namespace gridlock::report {
namespace {

StepFigures step_figures(const scenario::Scenario& s, double time_s) {
  StepFigures f;
  const auto sequences = static_cast<double>(s.batch.global);
  const double ranks = s.parallelism.ranks();
  f.time_s = time_s;
  f.tokens_per_s = sequences * static_cast<double>(s.batch.sequence) / time_s;
  f.tokens_per_s_per_gpu = f.tokens_per_s / ranks;
  f.model_flops_causal = model::model_flops_causal(s.model, sequences, s.batch.sequence);
  f.model_flops_full = model::model_flops_full(s.model, sequences, s.batch.sequence);
  f.peak_flops_per_s_per_gpu = parallel::block_input(s).device.peak_flops;
  const double available = time_s * ranks * f.peak_flops_per_s_per_gpu;
  f.mfu_causal = f.model_flops_causal / available;
  f.mfu_full = f.model_flops_full / available;
  f.hfu =
      model::hardware_flops(s.model, sequences, s.batch.sequence, s.recompute, s.profile.attention == model::Attention::flash) /
      available;
  return f;
}

// Collectives were never measured beyond this many ranks.
constexpr std::size_t largest_measured_ranks = 256;

std::vector<std::string> all_warnings(const scenario::Scenario& s, const engine::Simulation& simulation, double other_s) {
  std::vector<std::string> warnings = s.warnings;
  std::size_t largest = 0;
  for (const parallel::Communicator& c : simulation.graph.communicators)
    if (c.dimension == parallel::Dimension::data && c.slot == 1) largest = std::max(largest, c.members.size());
  if (largest > largest_measured_ranks)
    warnings.push_back(fmt::format("collectives of {} ranks are extrapolated: published measurements end at {} ranks", largest,
                                   largest_measured_ranks));
  if (simulation.worst_weight_rounding > 0)
    warnings.push_back(fmt::format("link weights of the folded problem were rounded by up to {:.1e}; --no-fold is exact",
                                   simulation.worst_weight_rounding));
  if (other_s > 1e-9) warnings.push_back(fmt::format("{:.3g} s a GPU could not be attributed to a cause (other_s)", other_s));
  return warnings;
}

}  // namespace

RunReport::RunReport(const scenario::Scenario& the_scenario, const engine::Simulation& the_simulation)
    : scenario(the_scenario),
      simulation(the_simulation),
      history(simulation.problem, simulation.timeline),
      names(simulation),
      step(step_figures(scenario, simulation.timeline.step_seconds())),
      memory(parallel::memory_use(scenario)),
      loads(analysis::measure_loads(history)),
      bottlenecks(history, loads),
      breakdown(analysis::break_down(history, bottlenecks)),
      critical_path(analysis::find_critical_path(history)),
      calls(analysis::call_statistics(history, breakdown, bottlenecks)),
      warnings(all_warnings(scenario, simulation, at(breakdown.mean, analysis::State::other))) {}

std::string RunReport::call_label(const analysis::CallStatistics& call) const {
  return call.is_message ? simulation.graph.transfers[call.call].label : simulation.graph.calls[call.call].label;
}

std::string RunReport::call_group(const analysis::CallStatistics& call) const {
  return call.is_message ? names.message(call.subject) : names.communicator(call.subject);
}

}  // namespace gridlock::report
