#include "sim/engine/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sim/engine/contraction.hpp"
#include "sim/engine/executor.hpp"
#include "sim/engine/full.hpp"
#include "sim/fold/quotient.hpp"
#include "sim/parallel/step_builder.hpp"
#include "topology/error.hpp"

namespace gridlock::engine {
namespace {

// Beyond these the clock (doubles, seconds) could no longer tell kernels apart; real machines are nowhere near.
constexpr double longest_block_s = 1e4, slowest_link_bytes_per_s = 1e3;

void check_speeds(const topology::Fabric& fabric, const parallel::StepGraph& graph) {
  const double slowest = graph.rank_speed.empty() ? 1 : *std::min_element(graph.rank_speed.begin(), graph.rank_speed.end());
  for (const model::Block& block : graph.blocks) {
    double seconds = 0;
    for (const model::BlockOp& op : block.ops) seconds += op.is_collective ? 0 : kernel_seconds(op, slowest);
    if (!(seconds < longest_block_s))
      throw topology::SpecError("profile", fmt::format("one {} takes {:.3g} s: no GPU is that slow", block.name, seconds),
                                "look at the peak, memory bandwidth and dispatch of GPU and profile, and at faults.slow");
  }
  for (topology::LinkId l = 0; l < fabric.link_count(); ++l)
    if (const double speed = fabric.link(l).bytes_per_s; speed != 0 && !(speed >= slowest_link_bytes_per_s))  // 0: down
      throw topology::SpecError(
          "cluster",
          fmt::format("{} carries {:.3g} bytes a second: no link is that slow", fabric.link_name(l), fabric.link(l).bytes_per_s),
          "look at the speeds of the node and the fabric, at the profile's efficiencies and at faults.links");
}

double count_tasks(const Problem& problem) {
  double tasks = 0;
  for (const RankClass& rank : problem.ranks) tasks += static_cast<double>(problem.graph->programs[rank.program].tasks.size());
  return tasks;
}

// Everything but the timeline.
std::unique_ptr<Simulation> prepare(topology::Fabric fabric, parallel::StepGraph graph, const parallel::TrafficOptions& traffic,
                                    std::uint64_t seed, const SimulationOptions& options) {
  auto s = std::make_unique<Simulation>();
  s->fabric = std::move(fabric);
  s->graph = std::move(graph);
  check_speeds(s->fabric, s->graph);
  const topology::Router router(s->fabric, seed);
  s->traffic = parallel::make_traffic(s->graph, s->fabric, router, traffic);
  if (options.adjust) options.adjust(s->graph, s->traffic);
  s->problem = options.fold ? fold::fold(s->graph, s->traffic, s->fabric) : full_problem(s->graph, s->traffic, s->fabric);
  if (options.fold) mark_exclusive(s->problem);
  return s;
}

}  // namespace

std::unique_ptr<Simulation> simulate(topology::Fabric fabric, parallel::StepGraph graph, const parallel::TrafficOptions& traffic,
                                     std::uint64_t seed, const SimulationOptions& options) {
  std::unique_ptr<Simulation> s = prepare(std::move(fabric), std::move(graph), traffic, seed, options);
  if (options.before_run) options.before_run(count_tasks(s->problem));
  s->sharing = options.sharing.value_or(sharing_for(s->problem));
  std::unique_ptr<Backend> backend = make_backend(s->problem, s->sharing, &s->worst_weight_rounding);
  try {
    s->timeline = execute(s->problem, *backend, {.contract = options.fold});
  } catch (...) {
    static_cast<void>(backend.release());  // SimGrid crashes when an engine with running activities is destroyed
    throw;
  }
  return s;
}

std::unique_ptr<Simulation> simulate(const scenario::Scenario& scenario, const SimulationOptions& options) {
  try {
    return simulate(topology::build_fabric(scenario.cluster, scenario.profile.links, scenario.faults.links),
                    parallel::build_step_graph(scenario),
                    {.tuning = scenario.profile.tuning, .forced = scenario.collectives.parsed()}, scenario.seed, options);
  } catch (const std::invalid_argument& error) {  // lists that leave a communicator nothing to run
    throw topology::SpecError("collectives", error.what(), "allow one of those in collectives.algo or collectives.proto");
  }
}

double count_tasks(const scenario::Scenario& scenario, const SimulationOptions& options) {
  return count_tasks(prepare(topology::build_fabric(scenario.cluster, scenario.profile.links, scenario.faults.links),
                             parallel::build_step_graph(scenario), {.tuning = scenario.profile.tuning, .forced = {}},
                             scenario.seed, options)
                         ->problem);
}

}  // namespace gridlock::engine
