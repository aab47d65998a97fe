// What folds together and what does not.
#include <gtest/gtest.h>

#include <map>

#include "machine.hpp"
#include "sim/fold/colour.hpp"
#include "sim/fold/quotient.hpp"

namespace gridlock::fold::test {
namespace {

using engine::test::ScenarioText;

Partition partition_of(const ScenarioText& text) {
  const Unfolded unfolded(text);
  return refine(Objects(unfolded.graph, unfolded.traffic, unfolded.fabric));
}

// Two stages, all else alike: two classes of ranks.
TEST(Refine, RanksOfAStageFold) {
  ScenarioText text;
  text.parallelism = "tensor: 8, pipeline: 2, data: 4, schedule: 1f1b, sequence_parallel: true";
  EXPECT_EQ(partition_of(text).ranks.count(), 2u);
}

TEST(Refine, ASlowGpuSplits) {
  ScenarioText text;
  text.parallelism = "tensor: 8, pipeline: 2, data: 4, schedule: 1f1b, sequence_parallel: true";
  text.faults = "slow: [{gpu: 13, factor: 0.8}]";
  const Partition partition = partition_of(text);
  EXPECT_GT(partition.ranks.count(), 2u);
  const Index slow = partition.ranks.of[13];
  EXPECT_EQ(std::count(partition.ranks.of.begin(), partition.ranks.of.end(), slow), 1) << "nobody is like the slow GPU";
}

TEST(Refine, ADegradedLinkSplits) {
  ScenarioText text;
  text.parallelism = "tensor: 8, pipeline: 2, data: 4, schedule: 1f1b, sequence_parallel: true";
  text.faults = "links: [{match: \"node1.nic2->leaf*\", factor: 0.5}]";
  EXPECT_GT(partition_of(text).ranks.count(), 2u);
}

// Forward messages and those that wrap around share ends and route, but not the time: they must not fold.
TEST(Refine, ForwardAndWrapAroundMessagesStayApart) {
  ScenarioText text;
  text.parallelism = "tensor: 8, pipeline: 2, data: 4, schedule: interleaved_1f1b, virtual_stages: 2";
  const Unfolded unfolded(text);
  const Partition partition = refine(Objects(unfolded.graph, unfolded.traffic, unfolded.fabric));
  std::map<Index, std::tuple<Index, Index, int>> seen;  // edge class -> (sender's program, receiver's program, slot)
  for (std::size_t m = 0; m < unfolded.graph.messages.size(); ++m) {
    const parallel::Message& message = unfolded.graph.messages[m];
    const std::tuple<Index, Index, int> kind{unfolded.graph.rank_program[message.from], unfolded.graph.rank_program[message.to],
                                             message.slot};
    const auto [found, fresh] = seen.try_emplace(partition.edges.of[unfolded.traffic.message_edge[m]], kind);
    EXPECT_EQ(found->second, kind);
  }
  EXPECT_EQ(seen.size(), 4u);
}

// The quotient carries all of the traffic: over each link class, members * sum of weights = all crossings of its links.
TEST(Quotient, WeightsAddUpToAllCrossings) {
  ScenarioText text;
  text.fabric = "kind: rail_fat_tree, nic: 400Gbps, leaf_radix: 10, scalable_unit: 2, oversubscription: {leaf: 4}";
  text.parallelism = "tensor: 2, pipeline: 2, data: 16, schedule: 1f1b";
  const Unfolded unfolded(text);
  const Objects objects(unfolded.graph, unfolded.traffic, unfolded.fabric);
  const engine::Problem problem = quotient(objects, refine(objects));
  std::vector<double> crossings(problem.links.size(), 0), weights(problem.links.size(), 0);
  for (const parallel::WeightedLink& hop : unfolded.traffic.links) crossings[problem.class_of_link[hop.link]] += hop.weight;
  for (const engine::FlowLink& hop : problem.flow_links) weights[hop.link] += hop.weight;
  for (std::size_t l = 0; l < problem.links.size(); ++l)
    EXPECT_NEAR(crossings[l], problem.links[l].members * weights[l], 1e-9 * crossings[l]) << "link class " << l;
}

TEST(Colour, BagsHaveNoOrderAndMixesDo) {
  const Colour a{1, 2}, b{3, 4};
  Bag ab, ba, aab;
  ab.add(a), ab.add(b);
  ba.add(b), ba.add(a);
  aab.add(a), aab.add(a), aab.add(b);
  EXPECT_EQ(ab.colour(), ba.colour());
  EXPECT_NE(ab.colour(), aab.colour()) << "a bag counts";
  EXPECT_NE(mix(a, b), mix(b, a));
  EXPECT_NE(mix(mix(a, 1.0), 2.0), mix(mix(a, 2.0), 1.0));
}

}  // namespace
}  // namespace gridlock::fold::test
