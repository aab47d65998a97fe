// What the routing policies do with equal-cost next hops.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "clusters.hpp"

namespace gridlock::topology {
namespace {

// Links of a path that go up from a leaf or from a spine.
std::string up_from(const Fabric& fabric, const Path& path, VertexKind below) {
  for (const LinkShare& link : path.links) {
    const Vertex& from = fabric.graph[fabric.source(link.link)];
    const Vertex& to = fabric.graph[fabric.target(link.link)];
    if (from.kind == below && to.kind > below) return fabric.link_name(link.link);
  }
  return "";
}

ClusterSpec three_tiers(RoutingKind routing) {
  ClusterSpec spec = cluster(512, FabricKind::rail_fat_tree, routing);
  spec.fabric.tiers = 3;
  return spec;
}

// Static: the way depends on the destination alone, and the 32 nodes below a leaf are reached over its 32 different uplinks.
TEST(Static, SpreadsDestinationsOverAllUplinks) {
  const Fabric fabric = built(cluster(64, FabricKind::rail_fat_tree, RoutingKind::fixed));
  const Router router(fabric, 1);
  std::set<std::string> uplinks;
  for (GpuId node = 32; node < 64; ++node) uplinks.insert(up_from(fabric, router.path(0, node * 8), VertexKind::leaf));
  EXPECT_EQ(uplinks.size(), 32u);
  const Path one = router.path(0, 320), other = router.path(8, 320, {7, 9});
  EXPECT_EQ(up_from(fabric, one, VertexKind::leaf), up_from(fabric, other, VertexKind::leaf));
}

// Node 511 is the last below leaf 127: number 127 x 32 + 31 = 4095. Leaf 7 has 32 next hops: choice 4095 mod 32 = 31, spine 31.
// Rest 127; the spine has 32 cables up: choice 127 mod 32 = 31. Cable 31 of pod 0 goes to core 31 mod 2 = 1 of group 31.
// Rest 3; the core has 16 cables down to spine 31 of pod 3: choice 3 mod 16 = 3.
TEST(Static, ChoosesByTheDigitsOfTheDestination) {
  const Fabric fabric = built(three_tiers(RoutingKind::fixed));
  const std::vector<std::string> route = names(fabric, Router(fabric, 1).path(7, 4095));
  EXPECT_EQ(std::vector<std::string>(route.begin() + 3, route.begin() + 7),
            (std::vector<std::string>{"leaf7->spine31", "spine31->core63#15", "core63->spine127#3", "spine127->leaf127"}));
}

TEST(Ecmp, SameFlowSameWayOtherSeedOtherWay) {
  const Fabric fabric = built(three_tiers(RoutingKind::ecmp));
  const Router router(fabric, 1), again(fabric, 1), reseeded(fabric, 2);
  int moved = 0;
  for (GpuId dst = 8; dst < 4096; dst += 8) {
    EXPECT_EQ(router.path(0, dst).links, again.path(0, dst).links);
    moved += router.path(0, dst).links != reseeded.path(0, dst).links;
  }
  EXPECT_GT(moved, 400);  // 480 destinations are on another leaf; 1 in 32 or fewer stays by chance
}

TEST(Ecmp, KeyTellsFlowsApart) {
  const Fabric fabric = built(three_tiers(RoutingKind::ecmp));
  const Router router(fabric, 1);
  std::set<std::string> by_channel, by_queue_pair;
  for (std::uint32_t i = 0; i < 64; ++i) {
    by_channel.insert(up_from(fabric, router.path(0, 4088, {i, 0}), VertexKind::leaf));
    by_queue_pair.insert(up_from(fabric, router.path(0, 4088, {0, i}), VertexKind::leaf));
  }
  // 64 balls in 32 bins fill 32 (1 - (31/32)^64) = 27.8 bins on average, standard deviation about 1.6.
  EXPECT_GT(by_channel.size(), 21u);
  EXPECT_GT(by_queue_pair.size(), 21u);
}

// 10,000 flows over 32 uplinks: 312.5 each, standard deviation 17.4; all within 5 of these.
TEST(Ecmp, SpreadsEvenly) {
  const Fabric fabric = built(three_tiers(RoutingKind::ecmp));
  const Router router(fabric, 1);
  std::map<std::string, int> leaf_load, spine_load;
  for (std::uint32_t i = 0; i < 10000; ++i) {
    const Path path = router.path(0, 4088, {i, 0});
    ++leaf_load[up_from(fabric, path, VertexKind::leaf)];
    ++spine_load[up_from(fabric, path, VertexKind::spine)];
  }
  EXPECT_EQ(leaf_load.size(), 32u);
  for (const auto& [name, load] : leaf_load) EXPECT_NEAR(load, 312.5, 87) << name;
  EXPECT_GT(spine_load.size(), 1000u);  // 32 x 32 = 1024 cables: switches hash independently of one another
}

// Two hosts joined by a diamond whose upper arm has two parallel cables at its end:
//   nic0 - a - {b, c} - d - nic1, with b - d twice. Shares: 1/2 to b and c; 1/4 on each cable b - d; 1/2 on c - d.
TEST(Adaptive, SplitsEvenlyAtEverySwitch) {
  ClusterSpec spec = cluster(2, FabricKind::custom);
  spec.fabric.edges = {{"node0.nic0", "a", gb}, {"a", "b", gb}, {"a", "c", gb},         {"b", "d", gb},
                       {"b", "d", gb},          {"c", "d", gb}, {"d", "node1.nic0", gb}};
  const Fabric fabric = built(spec);
  const Path path = Router(fabric, 1).path(0, 8);
  std::map<std::string, double> shares;
  for (const LinkShare& link : path.links) shares[fabric.link_name(link.link)] = link.share;
  EXPECT_EQ(shares, (std::map<std::string, double>{{"node0.gpu0->node0.pcie0", 1},
                                                   {"node0.pcie0->node0.nic0", 1},
                                                   {"node0.nic0->a", 1},
                                                   {"a->b", 0.5},
                                                   {"a->c", 0.5},
                                                   {"b->d#0", 0.25},
                                                   {"b->d#1", 0.25},
                                                   {"c->d", 0.5},
                                                   {"d->node1.nic0", 1},
                                                   {"node1.nic0->node1.pcie0", 1},
                                                   {"node1.pcie0->node1.gpu0", 1}}));
}

// The message is whole when its last packet is: the latency is that of the slower arm.
TEST(Adaptive, LatencyIsTheLongestWay) {
  ClusterSpec spec = cluster(2, FabricKind::custom);
  spec.fabric.edges = {{"node0.nic0", "a", gb, 1 * us}, {"a", "b", gb, 2 * us}, {"a", "c", gb, 50 * us},
                       {"b", "d", gb, 3 * us},          {"c", "d", gb, 4 * us}, {"d", "node1.nic0", gb, 5 * us}};
  const Fabric fabric = built(spec);
  EXPECT_NEAR(Router(fabric, 1).path(0, 8).latency_s, (4 * 10 + 1 + 50 + 4 + 5) * us, 1e-15);
}

}  // namespace
}  // namespace gridlock::topology
