// A scenario up to the point where folding starts.
#pragma once

#include "sim/fold/partition.hpp"
#include "sim/parallel/step_builder.hpp"
#include "tests/engine/scenario_text.hpp"
#include "topology/router.hpp"

namespace gridlock::fold::test {

struct Unfolded {
  topology::Fabric fabric;
  parallel::StepGraph graph;
  parallel::Traffic traffic;

  explicit Unfolded(const engine::test::ScenarioText& text) {
    const scenario::Scenario s = engine::test::load(text);
    fabric = topology::build_fabric(s.cluster, s.profile.links, s.faults.links);
    graph = parallel::build_step_graph(s);
    traffic = parallel::make_traffic(graph, fabric, topology::Router(fabric, s.seed), {.tuning = s.profile.tuning, .forced = {}});
  }
};

}  // namespace gridlock::fold::test
