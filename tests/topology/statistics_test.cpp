#include "topology/statistics.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "clusters.hpp"
#include "topology/dot.hpp"

namespace gridlock::topology {
namespace {

std::uint64_t devices(const Statistics& s, VertexKind kind) {
  for (const VertexCount& c : s.vertices) {
    if (c.kind == kind) return c.devices;
  }
  return 0;
}

ClusterSpec two_pods_in_three_tiers(RoutingKind routing = RoutingKind::adaptive) {
  ClusterSpec spec = cluster(512, FabricKind::rail_fat_tree, routing);
  spec.fabric.tiers = 3;
  spec.fabric.scalable_unit = 32;
  return spec;
}

TEST(Statistics, CountsAreTheSameCollapsedOrNot) {
  const Statistics trunks = statistics(built(two_pods_in_three_tiers())),
                   cables = statistics(built(two_pods_in_three_tiers(RoutingKind::ecmp)));
  for (VertexKind kind : {VertexKind::gpu, VertexKind::nic, VertexKind::leaf, VertexKind::spine, VertexKind::core}) {
    EXPECT_EQ(devices(trunks, kind), devices(cables, kind)) << name(kind);
  }
  EXPECT_EQ(devices(trunks, VertexKind::spine), 128u);
  EXPECT_EQ(devices(trunks, VertexKind::core), 64u);
  ASSERT_EQ(trunks.links.size(), cables.links.size());
  for (std::size_t i = 0; i < trunks.links.size(); ++i) EXPECT_EQ(trunks.links[i].cables, cables.links[i].cables);
}

// Non-blocking: 256 nodes x 8 NICs x 50 GB/s can all leave the first half at once.
TEST(Bisection, NonBlockingTreeIsLimitedByItsNics) {
  for (RoutingKind routing : {RoutingKind::adaptive, RoutingKind::ecmp}) {
    const Statistics s = statistics(built(two_pods_in_three_tiers(routing)));
    EXPECT_EQ(s.bisection_bytes_per_s, 256 * 8 * 50 * gb);
    EXPECT_EQ(s.injection_bytes_per_s, 256 * 8 * 50 * gb);
  }
}

// 4:1: the 64 leaves of the first half have 8 of 32 cables up: 64 x 8 x 50 GB/s.
TEST(Bisection, OversubscribedTreeIsLimitedByItsUplinks) {
  ClusterSpec spec = two_pods_in_three_tiers();
  spec.fabric.leaf_oversubscription = 4;
  EXPECT_EQ(bisection_bytes_per_s(built(spec)), 64 * 8 * 50 * gb);
}

// 2:1 at the spines: pods of 40 leaves with 31 spines x 21 cables up. The first half is pods 0 (40 leaves) and part of pod 1,
// (24 of its 40 leaves). Pod 1 passes 16 x 32 = 512 cables' worth down to its own other leaves, all the rest crosses the cores:
// pod 0 sends 31 x 21 = 651 cables' worth, pod 1 sends 24 x 32 = 768: 512 inside and 256 over the cores; the receivers are not
// the limit. 651 + 768 = 1419 cables of 50 GB/s.
TEST(Bisection, OversubscribedSpines) {
  ClusterSpec spec = two_pods_in_three_tiers();
  spec.fabric.spine_oversubscription = 2;
  EXPECT_EQ(bisection_bytes_per_s(built(spec)), 1419 * 50 * gb);
}

// Rail-only: each rail alone is non-blocking.
TEST(Bisection, RailOnly) { EXPECT_EQ(bisection_bytes_per_s(built(cluster(64, FabricKind::rail_only))), 32 * 8 * 50 * gb); }

// One half of the first half's leaf 3 uplinks gone: 4 units x 8 leaves, 64 nodes x 8 NICs less half of 32 cables.
TEST(Bisection, FeelsFaults) {
  const ClusterSpec spec = cluster(128, FabricKind::rail_fat_tree);
  EXPECT_EQ(bisection_bytes_per_s(built(spec, {{"leaf3->spine*", 0.5}})), (64 * 8 - 16) * 50 * gb);
}

TEST(Bisection, CustomDumbbell) {
  ClusterSpec spec = cluster(4, FabricKind::custom);
  spec.fabric.edges = {{"node0.nic0", "a", 10 * gb}, {"node1.nic0", "a", 10 * gb}, {"a", "b", 5 * gb},
                       {"node2.nic0", "b", 10 * gb}, {"node3.nic0", "b", 10 * gb}, {"node0.nic1", "node3.nic1", 2 * gb}};
  EXPECT_EQ(bisection_bytes_per_s(built(spec)), 7 * gb);  // the neck and the direct cable
}

TEST(Bisection, InsideOneNode) {
  EXPECT_EQ(bisection_bytes_per_s(built(cluster(1, FabricKind::none))), 4 * 400 * gb);
  ClusterSpec spec = cluster(1, FabricKind::none);
  spec.node = pcie_box();
  EXPECT_EQ(bisection_bytes_per_s(built(spec)), 40 * gb);  // the socket link
  spec.node.gpus = 1;
  EXPECT_EQ(bisection_bytes_per_s(built(spec)), 0);
  EXPECT_EQ(bisection_bytes_per_s(built(cluster(4, FabricKind::none))), 0);
}

TEST(SampleRoutes, OneOfEachSort) {
  const Fabric fabric = built(cluster(64, FabricKind::rail_fat_tree));
  const Router router(fabric, 1);
  const std::vector<SampleRoute> routes = sample_routes(fabric, router);
  ASSERT_EQ(routes.size(), 4u);
  EXPECT_EQ(routes[0].title, "same node");
  EXPECT_EQ(describe(fabric, routes[0].path), "node0.gpu0 -> node0.nvswitch -> node0.gpu1");
  EXPECT_EQ(routes[1].title, "other node, same rail");
  EXPECT_EQ(bottleneck_bytes_per_s(fabric, routes[1].path), 50 * gb);
  EXPECT_EQ(routes[2].dst, 9u);
  EXPECT_EQ(routes[3].dst, 511u);

  const Fabric apart = built(cluster(4, FabricKind::none));
  EXPECT_EQ(sample_routes(apart, Router(apart, 1)).size(), 1u);
}

TEST(Describe, SharesWhereAFlowSplits) {
  ClusterSpec spec = cluster(2, FabricKind::custom);
  spec.fabric.edges = {{"node0.nic0", "a", gb}, {"node0.nic0", "b", gb}, {"a", "node1.nic0", gb}, {"b", "node1.nic0", gb}};
  const Fabric fabric = built(spec);
  const Path path = Router(fabric, 1).path(0, 8);
  EXPECT_TRUE(contains(describe(fabric, path), "node0.nic0->a (50 %)"));
  EXPECT_EQ(bottleneck_bytes_per_s(fabric, path), 2 * gb);
}

TEST(Dot, DrawsDevicesAndTrunks) {
  std::ostringstream out;
  write_dot(out, built(cluster(33, FabricKind::rail_fat_tree)), DotDetail::devices);
  EXPECT_TRUE(contains(out.str(), "digraph fabric {"));
  EXPECT_TRUE(contains(out.str(), "subgraph \"cluster_node32\""));
  EXPECT_TRUE(contains(out.str(), "\"leaf0\" -> \"spines\" [label=\"1600 GB/s in 32 cables\", dir=both];"));
  EXPECT_TRUE(contains(out.str(), "\"spines\" [shape=hexagon, label=\"spines (8)\"];"));
}

TEST(Dot, NodesAsBoxes) {
  std::ostringstream out;
  write_dot(out, built(cluster(5, FabricKind::fat_tree), {{"node0.nic0->leaf0", 0.5}}), DotDetail::nodes);
  EXPECT_TRUE(contains(out.str(), "\"leaf0\" -> \"node1\" [label=\"400 GB/s in 8 cables\", dir=both];"));
  EXPECT_TRUE(contains(out.str(), "\"node0\" -> \"leaf0\" [label=\"375 GB/s in 8 cables\"];"));  // one direction is slower
  EXPECT_EQ(out.str().find("gpu"), std::string::npos);
}

}  // namespace
}  // namespace gridlock::topology
