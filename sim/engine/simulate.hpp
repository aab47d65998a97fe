// From a scenario to its timeline: the whole way of the data in one call.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "sim/engine/make_backend.hpp"
#include "sim/engine/problem.hpp"
#include "sim/engine/timeline.hpp"
#include "sim/scenario/scenario.hpp"
#include "topology/router.hpp"

namespace gridlock::engine {

struct SimulationOptions {
  bool fold = true;                     // false: every rank, link and kernel on its own (the oracle)
  std::optional<Sharing> sharing = {};  // none: as sharing_for() says
  // Told the number of tasks that will run, once that is known; may throw to stop there.
  std::function<void(double tasks)> before_run = {};
  // Changes bytes and latencies of the traffic before it is folded, for "what if" (sim/whatif); may be empty.
  std::function<void(const parallel::StepGraph&, parallel::Traffic&)> adjust = {};
};

// Everything a report needs. The parts point into each other: not copied, not moved.
struct Simulation {
  topology::Fabric fabric;
  parallel::StepGraph graph;
  parallel::Traffic traffic;
  Problem problem;
  Timeline timeline;
  Sharing sharing = Sharing::simgrid;
  double worst_weight_rounding = 0;  // relative; 0 = all link weights exact
};

// What a step graph does on a fabric. One simulation a process (SimGrid). Throws Deadlock, topology::SpecError.
std::unique_ptr<Simulation> simulate(topology::Fabric fabric, parallel::StepGraph graph, const parallel::TrafficOptions& traffic,
                                     std::uint64_t seed, const SimulationOptions& options);

std::unique_ptr<Simulation> simulate(const scenario::Scenario& scenario, const SimulationOptions& options);

// Tasks that simulate() would run: what it will cost. Runs none of them. Throws topology::SpecError.
double count_tasks(const scenario::Scenario& scenario, const SimulationOptions& options);

}  // namespace gridlock::engine
