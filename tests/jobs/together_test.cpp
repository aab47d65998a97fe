#include "sim/jobs/together.hpp"

#include <gtest/gtest.h>

#include "sim/scenario/diagnostic.hpp"
#include "tests/engine/scenario_text.hpp"

namespace gridlock::jobs {
namespace {

using engine::test::load;
using engine::test::ScenarioText;

// Data-parallel jobs on four of eight nodes each; a leaf has two nodes, so every ring crosses the spines.
ScenarioText job(const std::string& nodes, const std::string& oversubscription) {
  ScenarioText text;
  text.fabric = "kind: rail_fat_tree, nic: 100Gbps, scalable_unit: 2, oversubscription: {leaf: " + oversubscription + "}";
  text.placement = nodes + "\n  idle: allow";
  text.parallelism = "tensor: 1, pipeline: 1, data: 32";
  text.batch = "global: 64, micro: 1, sequence: 1024";
  text.optimizer = "zero: 0, overlap_gradients: false";
  return text;
}

// Each leaf's two nodes belong to two jobs, and its trunk is oversubscribed 2 to 1. Alone a ring through a NIC (100 Gb/s x the
// profile's efficiency) finds a trunk of 100 Gb/s to itself; together both jobs, which are equal and in step, halve the trunk:
//   together - alone = W (2 / trunk - 1 / NIC)     W: bytes of one job on the fullest trunk in a step
// Kernels and latency do not change.
TEST(Together, EqualJobsHalveTheUplinkTheyShare) {
  const scenario::Scenario a = load(job("[0, 2, 4, 6]", "2")), b = load(job("[1, 3, 5, 7]", "2"));
  const Together t = run_together({&a, &b}, true);
  ASSERT_FALSE(t.links.empty());
  const Contested& trunk = t.links[0];
  EXPECT_EQ(trunk.name.rfind("leaf to spine", 0), 0u) << trunk.name;
  EXPECT_NEAR(trunk.utilization[0], trunk.utilization[1], 1e-9);
  const double bytes = trunk.utilization[0] * trunk.capacity_bytes_per_s * t.window_s;
  const double nic = 12.5e9 * a.profile.links.nic_efficiency;
  EXPECT_GT(trunk.capacity_bytes_per_s, nic);
  for (const JobTimes& one : t.jobs)
    EXPECT_NEAR(one.together_s - one.alone_s, bytes * (2 / trunk.capacity_bytes_per_s - 1 / nic), 1e-6 * one.alone_s);
}

// Three of them on a leaf: each ring finds a third of the trunk.
//   together - alone = W (3 / trunk - 1 / NIC)
// The trunk of a leaf of three nodes carries 3 x 100 Gb/s / 3 a rail.
TEST(Together, ThreeEqualJobsTakeAThirdEach) {
  const auto third = [](const char* nodes) {
    ScenarioText text = job(nodes, "3");
    text.nodes = 12;
    text.fabric = "kind: rail_fat_tree, nic: 100Gbps, scalable_unit: 3, oversubscription: {leaf: 3}";
    return load(text);
  };
  const scenario::Scenario a = third("[0, 3, 6, 9]"), b = third("[1, 4, 7, 10]"), c = third("[2, 5, 8, 11]");
  const Together t = run_together({&a, &b, &c}, true);
  ASSERT_EQ(t.jobs.size(), 3u);
  ASSERT_FALSE(t.links.empty());
  const Contested& trunk = t.links[0];
  ASSERT_EQ(trunk.utilization.size(), 3u);
  EXPECT_NEAR(trunk.load(), 3 * trunk.utilization[1], 1e-9);
  const double bytes = trunk.utilization[0] * trunk.capacity_bytes_per_s * t.window_s;
  const double nic = 12.5e9 * a.profile.links.nic_efficiency;
  for (const JobTimes& one : t.jobs)
    EXPECT_NEAR(one.together_s - one.alone_s, bytes * (3 / trunk.capacity_bytes_per_s - 1 / nic), 1e-6 * one.alone_s);
}

// Whole leaves to each job, on which all ring hops but the fabric's own stay apart: no link carries both, and neither is slower.
TEST(Together, JobsThatShareNoLinkDoNotSlowEachOther) {
  ScenarioText first = job("[0, 1]", "1"), second = job("[2, 3]", "1");
  first.parallelism = second.parallelism = "tensor: 1, pipeline: 1, data: 16";
  const scenario::Scenario a = load(first), b = load(second);
  const Together t = run_together({&a, &b}, true);
  EXPECT_TRUE(t.links.empty());
  for (const JobTimes& one : t.jobs) EXPECT_NEAR(one.together_s, one.alone_s, 1e-9 * one.alone_s);
}

// Different jobs (a pipeline beside data parallelism, steps of different length), folded and rank by rank.
TEST(Together, FoldedEqualsUnfolded) {
  ScenarioText pipeline = job("[1, 3, 5, 7]", "2");
  pipeline.parallelism = "tensor: 4, pipeline: 2, data: 4, schedule: 1f1b";
  pipeline.batch = "global: 16, micro: 1, sequence: 1024";
  const scenario::Scenario a = load(job("[0, 2, 4, 6]", "2")), b = load(pipeline);
  const Together folded = run_together({&a, &b}, true), full = run_together({&a, &b}, false);
  ASSERT_FALSE(folded.links.empty());
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_NEAR(folded.jobs[j].together_s, full.jobs[j].together_s, 1e-9 * full.jobs[j].together_s);
    EXPECT_EQ(folded.jobs[j].steps, full.jobs[j].steps);
    EXPECT_GE(folded.jobs[j].together_s, folded.jobs[j].alone_s * (1 - 1e-9));
    double all = 0;
    for (double share : folded.jobs[j].beside) all += share;
    EXPECT_NEAR(all, 1, 1e-9);  // each GPU is in one state at each instant of the window
  }
}

// The order of the two on the command line changes nothing but the order of the answers.
TEST(Together, OrderDoesNotMatter) {
  ScenarioText small = job("[1, 3, 5, 7]", "2");
  small.batch = "global: 32, micro: 1, sequence: 512";
  const scenario::Scenario a = load(job("[0, 2, 4, 6]", "2")), b = load(small);
  const Together ab = run_together({&a, &b}, true), ba = run_together({&b, &a}, true);
  for (std::size_t j = 0; j < 2; ++j) EXPECT_NEAR(ab.jobs[j].together_s, ba.jobs[1 - j].together_s, 1e-9);
}

TEST(Together, RefusesSharedGpusAndOtherMachines) {
  const scenario::Scenario a = load(job("[0, 1, 2, 3]", "2"));
  const auto message = [&](const ScenarioText& text) -> std::string {
    try {
      const scenario::Scenario b = load(text);
      check_side_by_side({&a, &b});
    } catch (const scenario::InvalidScenario& error) {
      return error.diagnostics.front().message;
    }
    return "accepted";
  };
  EXPECT_NE(message(job("[3, 4, 5, 6]", "2")).find("rank 0 is on node3.gpu0, where rank 24"), std::string::npos);
  EXPECT_NE(message(job("[4, 5, 6, 7]", "1")).find("cluster.fabric.oversubscription.leaf differs"), std::string::npos);
  EXPECT_EQ(message(job("[4, 5, 6, 7]", "2")), "accepted");
}

}  // namespace
}  // namespace gridlock::jobs
