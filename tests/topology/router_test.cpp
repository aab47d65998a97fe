// Routes spelled out link by link. Latencies: NVLink 1, PCIe 10, NIC 100, switch 1000 us.
#include "topology/router.hpp"

#include <gtest/gtest.h>

#include "clusters.hpp"

namespace gridlock::topology {
namespace {

using Names = std::vector<std::string>;

TEST(Router, InsideAnNvswitchNode) {
  const Fabric fabric = built(cluster(2, FabricKind::rail_fat_tree));
  const Path path = Router(fabric, 1).path(9, 14);
  EXPECT_EQ(names(fabric, path), (Names{"node1.gpu1->node1.nvswitch", "node1.nvswitch->node1.gpu6"}));
  EXPECT_NEAR(path.latency_s, 2 * us, 1e-15);
  EXPECT_FALSE(path.crosses_network);
}

TEST(Router, InsideAPcieNode) {
  ClusterSpec spec = cluster(1, FabricKind::none);
  spec.node = pcie_box();
  spec.node.nics = 4;  // 4 switches: GPUs 0-1, 2-3 on socket 0, 4-5, 6-7 on socket 1
  const Fabric fabric = built(spec);
  const Router router(fabric, 1);
  EXPECT_EQ(names(fabric, router.path(0, 1)), (Names{"node0.gpu0->node0.pcie0", "node0.pcie0->node0.gpu1"}));
  EXPECT_EQ(names(fabric, router.path(0, 2)), (Names{"node0.gpu0->node0.pcie0", "node0.pcie0->node0.socket0",
                                                     "node0.socket0->node0.pcie1", "node0.pcie1->node0.gpu2"}));
  EXPECT_EQ(names(fabric, router.path(0, 7)),
            (Names{"node0.gpu0->node0.pcie0", "node0.pcie0->node0.socket0", "node0.socket0->node0.socket1",
                   "node0.socket1->node0.pcie3", "node0.pcie3->node0.gpu7"}));
}

TEST(Router, SameRailSameUnitMeetsAtTheLeaf) {
  const Fabric fabric = built(cluster(2, FabricKind::rail_fat_tree));
  const Path path = Router(fabric, 1).path(2, 10);
  EXPECT_EQ(names(fabric, path), (Names{"node0.gpu2->node0.pcie2", "node0.pcie2->node0.nic2", "node0.nic2->leaf2",
                                        "leaf2->node1.nic2", "node1.nic2->node1.pcie2", "node1.pcie2->node1.gpu2"}));
  EXPECT_NEAR(path.latency_s, (4 * 10 + 2 * 100) * us, 1e-15);
  EXPECT_TRUE(path.crosses_network);
}

// Design section 12: another node and another rail costs both. Over NVLink to GPU 1, whose NIC is on the receiver's rail.
TEST(Router, OtherNodeOtherRailCrossesNvlinkAndNetwork) {
  const Fabric fabric = built(cluster(2, FabricKind::rail_fat_tree));
  const Router router(fabric, 1);
  const Path path = router.path(0, 9);
  EXPECT_EQ(names(fabric, path), (Names{"node0.gpu0->node0.nvswitch", "node0.nvswitch->node0.gpu1", "node0.gpu1->node0.pcie1",
                                        "node0.pcie1->node0.nic1", "node0.nic1->leaf1", "leaf1->node1.nic1",
                                        "node1.nic1->node1.pcie1", "node1.pcie1->node1.gpu1"}));
  EXPECT_NEAR(path.latency_s, router.path(0, 1).latency_s + router.path(1, 9).latency_s, 1e-15);
}

TEST(Router, WithoutPxnRailsCrossInTheSpines) {
  ClusterSpec spec = cluster(2, FabricKind::rail_fat_tree);
  spec.fabric.pxn = false;
  const Fabric fabric = built(spec);
  const Path path = Router(fabric, 1).path(0, 9);
  EXPECT_EQ(names(fabric, path),
            (Names{"node0.gpu0->node0.pcie0", "node0.pcie0->node0.nic0", "node0.nic0->leaf0", "leaf0->spines", "spines->leaf1",
                   "leaf1->node1.nic1", "node1.nic1->node1.pcie1", "node1.pcie1->node1.gpu1"}));
  EXPECT_NEAR(path.latency_s, (4 * 10 + 2 * 100 + 2 * 1000) * us, 1e-12);
}

TEST(Router, PxnNeedsNvlink) {
  ClusterSpec spec = cluster(2, FabricKind::rail_fat_tree);
  spec.node = pcie_box();
  const Fabric fabric = built(spec);
  EXPECT_EQ(names(fabric, Router(fabric, 1).path(0, 9))[3], "leaf0->spines");
}

// Units of 32: node 40 is in unit 1, whose rail 0 is leaf 8. Three tiers of 512 nodes: node 511 is in pod 3.
TEST(Router, UnitsMeetAtTheSpinesPodsAtTheCores) {
  ClusterSpec spec = cluster(512, FabricKind::rail_fat_tree);
  spec.fabric.tiers = 3;
  const Fabric fabric = built(spec);
  const Router router(fabric, 1);
  const Names near = names(fabric, router.path(0, 40 * 8));
  EXPECT_EQ(Names(near.begin() + 3, near.begin() + 5), (Names{"leaf0->pod0.spines", "pod0.spines->leaf8"}));
  const Names far = names(fabric, router.path(0, 511 * 8));
  EXPECT_EQ(Names(far.begin() + 3, far.begin() + 7),
            (Names{"leaf0->pod0.spines", "pod0.spines->cores", "cores->pod3.spines", "pod3.spines->leaf120"}));
}

TEST(Router, FatTreeKeepsANodeOnOneLeaf) {
  const Fabric fabric = built(cluster(8, FabricKind::fat_tree));  // 4 nodes a leaf
  const Router router(fabric, 1);
  EXPECT_EQ(names(fabric, router.path(0, 25))[3], "leaf0->node3.nic1");
  EXPECT_EQ(names(fabric, router.path(0, 33))[3], "leaf0->spines");
}

TEST(Router, RailOnlyCrossesRailsOverNvlinkOrNotAtAll) {
  ClusterSpec spec = cluster(64, FabricKind::rail_only);
  const Fabric fabric = built(spec);
  const Names path = names(fabric, Router(fabric, 1).path(0, 40 * 8 + 3));
  EXPECT_EQ(Names(path.begin(), path.begin() + 2), (Names{"node0.gpu0->node0.nvswitch", "node0.nvswitch->node0.gpu3"}));
  EXPECT_EQ(Names(path.begin() + 5, path.begin() + 7), (Names{"leaf3->rail3.spines", "rail3.spines->leaf11"}));

  spec.fabric.pxn = false;
  const Fabric apart = built(spec);
  const SpecError error = error_of([&] { Router(apart, 1).path(0, 9); });
  EXPECT_EQ(error.path, "cluster.fabric.pxn");
  EXPECT_TRUE(contains(error.what(), "rails 0 and 1 never meet"));
  EXPECT_TRUE(contains(error.help, "pxn: true"));
}

TEST(Router, NodesWithoutFabricCannotTalk) {
  const Fabric fabric = built(cluster(2, FabricKind::none));
  EXPECT_EQ(error_of([&] { Router(fabric, 1).path(0, 8); }).path, "cluster.fabric.kind");
}

TEST(Router, ViaChosenNics) {
  const Fabric fabric = built(cluster(2, FabricKind::rail_fat_tree));
  const Router router(fabric, 1);
  // Out by rail 5 and in by rail 5, though neither GPU is beside it: NVLink at both ends.
  EXPECT_EQ(names(fabric, router.path_via(0, 5, 9, 5)),
            (Names{"node0.gpu0->node0.nvswitch", "node0.nvswitch->node0.gpu5", "node0.gpu5->node0.pcie5",
                   "node0.pcie5->node0.nic5", "node0.nic5->leaf5", "leaf5->node1.nic5", "node1.nic5->node1.pcie5",
                   "node1.pcie5->node1.gpu5", "node1.gpu5->node1.nvswitch", "node1.nvswitch->node1.gpu1"}));
  // Beside both: no NVLink.
  EXPECT_EQ(router.path_via(2, 2, 10, 2).links, router.path(2, 10).links);
}

TEST(Router, ViaNicsThroughTheSockets) {
  ClusterSpec spec = cluster(2, FabricKind::rail_fat_tree);
  spec.node = pcie_box();
  spec.node.nics = 2;
  const Fabric fabric = built(spec);
  const Router router(fabric, 1);
  EXPECT_EQ(router.nics_of(3), (std::vector<int>{0}));
  EXPECT_EQ(router.nics_of(4), (std::vector<int>{1}));
  EXPECT_EQ(names(fabric, router.path_via(0, 1, 12, 1)),
            (Names{"node0.gpu0->node0.pcie0", "node0.pcie0->node0.socket0", "node0.socket0->node0.socket1",
                   "node0.socket1->node0.pcie1", "node0.pcie1->node0.nic1", "node0.nic1->leaf1", "leaf1->node1.nic1",
                   "node1.nic1->node1.pcie1", "node1.pcie1->node1.gpu4"}));
}

TEST(Router, UnjoinedSocketsAreAnErrorWhenCrossed) {
  ClusterSpec spec = cluster(2, FabricKind::rail_fat_tree);
  spec.node.socket_bytes_per_s = 0;
  spec.fabric.pxn = false;
  const Fabric fabric = built(spec);
  EXPECT_EQ(error_of([&] { Router(fabric, 1).path_via(0, 7, 8, 0); }).path, "cluster.node.socket_link");
}

TEST(Router, NearestNic) {
  ClusterSpec spec = cluster(1, FabricKind::none);
  spec.node.nics = 3;  // beside GPUs 0, 2 and 5
  const Fabric three = built(spec);
  std::vector<int> nearest;
  for (GpuId g = 0; g < 8; ++g) nearest.push_back(Router(three, 1).nics_of(g).front());
  EXPECT_EQ(nearest, (std::vector<int>{0, 0, 1, 1, 1, 2, 2, 2}));
  spec.node.nics = 16;  // two a GPU
  const Fabric sixteen = built(spec);
  EXPECT_EQ(Router(sixteen, 1).nics_of(3), (std::vector<int>{6, 7}));
}

TEST(Router, SlowedLinksChangeNoRoute) {
  const ClusterSpec spec = cluster(64, FabricKind::rail_fat_tree, RoutingKind::ecmp);
  const Fabric healthy = built(spec), slowed = built(spec, {{"leaf0:*", 0.1}});
  EXPECT_EQ(Router(healthy, 1).path(0, 320).links, Router(slowed, 1).path(0, 320).links);
}

}  // namespace
}  // namespace gridlock::topology
