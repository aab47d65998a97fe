#include "sim/engine/simulate.hpp"

#include "sim/engine/contraction.hpp"
#include "sim/engine/executor.hpp"
#include "sim/engine/full.hpp"
#include "sim/engine/simgrid_backend.hpp"
#include "sim/fold/quotient.hpp"
#include "sim/parallel/step_builder.hpp"

namespace gridlock::engine {

std::unique_ptr<Simulation> simulate(topology::Fabric fabric, parallel::StepGraph graph, const parallel::TrafficOptions& traffic, std::uint64_t seed,
                                     const SimulationOptions& options) {
  auto s = std::make_unique<Simulation>();
  s->fabric = std::move(fabric);
  s->graph = std::move(graph);
  const topology::Router router(s->fabric, seed);
  s->traffic = parallel::make_traffic(s->graph, s->fabric, router, traffic);
  s->problem = options.fold ? fold::fold(s->graph, s->traffic, s->fabric) : full_problem(s->graph, s->traffic, s->fabric);
  if (options.fold) mark_exclusive(s->problem);
  const std::unique_ptr<Backend> backend = make_simgrid_backend(s->problem, &s->worst_weight_rounding);
  s->timeline = execute(s->problem, *backend, {.contract = options.fold});
  return s;
}

std::unique_ptr<Simulation> simulate(const scenario::Scenario& scenario, const SimulationOptions& options) {
  return simulate(topology::build_fabric(scenario.cluster, scenario.profile.links, scenario.faults.links), parallel::build_step_graph(scenario),
                  {.tuning = scenario.profile.tuning, .forced = {}}, scenario.seed, options);
}

}  // namespace gridlock::engine
