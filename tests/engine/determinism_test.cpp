// The same scenario twice, and the same executor on another backend.
#include <gtest/gtest.h>

#include <cstring>

#include "alpha_beta_backend.hpp"
#include "outcome.hpp"
#include "scenario_text.hpp"
#include "sim/engine/executor.hpp"
#include "sim/engine/full.hpp"
#include "sim/parallel/step_builder.hpp"

namespace gridlock::engine::test {
namespace {

// {fingerprint's bits, step seconds}
std::vector<double> fingerprint(const ScenarioText& text, bool fold) {
  return run_in_child([&]() -> std::vector<double> {
    const auto s = simulate(load(text), {.fold = fold});
    double bits = 0;
    std::memcpy(&bits, &s->timeline.fingerprint, sizeof bits);
    return {bits, s->timeline.step_seconds()};
  });
}

TEST(Determinism, SameScenarioSameFingerprint) {
  ScenarioText text;
  text.fabric = "kind: rail_fat_tree, nic: 400Gbps, leaf_radix: 8, scalable_unit: 4, routing: ecmp";
  text.placement = "scattered";
  for (bool fold : {true, false}) {
    const std::vector<double> first = fingerprint(text, fold), second = fingerprint(text, fold);
    EXPECT_EQ(std::memcmp(first.data(), second.data(), 2 * sizeof(double)), 0);
  }
}

TEST(Determinism, AnotherSeedAnotherFingerprint) {
  ScenarioText text, other;
  text.placement = other.placement = "scattered";
  text.fabric = other.fabric = "kind: rail_fat_tree, nic: 400Gbps, leaf_radix: 8, scalable_unit: 4, routing: ecmp";
  other.seed = 2;
  EXPECT_NE(fingerprint(text, true)[1], fingerprint(other, true)[1]);
}

// No two flows of this run meet on a link: tensor groups have a node each, two stages exchange messages in opposite directions.
// So each flow takes bytes / least capacity, and the executor on a backend of a few lines must agree with SimGrid.
TEST(Determinism, SimGridAgreesWithABackendByHandWhereNothingIsShared) {
  ScenarioText text;
  text.nodes = 2;
  text.parallelism = "tensor: 8, pipeline: 2, data: 1, schedule: 1f1b, sequence_parallel: true";
  text.batch = "global: 6, micro: 1, sequence: 1024";
  text.model = "layers: 4, hidden: 1024, heads: 16, vocab: 51200, tied_embeddings: false";
  const scenario::Scenario scenario = load(text);
  const std::vector<double> simgrid =
      run_in_child([&]() -> std::vector<double> { return measure(*simulate(scenario, {.fold = false})).times; });
  const topology::Fabric fabric = topology::build_fabric(scenario.cluster, scenario.profile.links, {});
  const parallel::StepGraph graph = parallel::build_step_graph(scenario);
  const parallel::Traffic traffic = parallel::make_traffic(graph, fabric, topology::Router(fabric, scenario.seed),
                                                           {.tuning = scenario.profile.tuning, .forced = {}});
  const Problem problem = full_problem(graph, traffic, fabric);
  AlphaBetaBackend backend(problem);
  const Timeline timeline = execute(problem, backend, {.contract = false});
  std::size_t i = 0;
  for (const RankTimeline& rank : timeline.ranks)
    for (const TaskTime& time : rank.tasks) {
      ASSERT_LT(i + 1, simgrid.size());
      EXPECT_TRUE(agree(time.start, simgrid[i]));
      EXPECT_TRUE(agree(time.finish, simgrid[i + 1])) << time.finish << " by hand, " << simgrid[i + 1] << " on SimGrid";
      i += 2;
    }
  EXPECT_EQ(i, simgrid.size());
}

}  // namespace
}  // namespace gridlock::engine::test
