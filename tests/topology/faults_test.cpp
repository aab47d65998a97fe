// Link faults by cable name. 64 nodes in 2 units: trunks of 32 cables, 4 to each of 8 spines, 1600 GB/s healthy.
#include <gtest/gtest.h>

#include "clusters.hpp"

namespace gridlock::topology {
namespace {

ClusterSpec two_units(RoutingKind routing = RoutingKind::adaptive) { return cluster(64, FabricKind::rail_fat_tree, routing); }

double capacity(const Fabric& fabric, const char* name) { return link_named(fabric, name).bytes_per_s / gb; }

TEST(Faults, OneDirectionOfANicCable) {
  const Fabric fabric = built(two_units(), {{"node3.nic2->leaf2", 0.5}});
  EXPECT_DOUBLE_EQ(capacity(fabric, "node3.nic2->leaf2"), 25);
  EXPECT_DOUBLE_EQ(capacity(fabric, "leaf2->node3.nic2"), 50);
}

TEST(Faults, ColonIsBothDirections) {
  for (const char* match : {"node3.nic2:leaf2", "leaf2:node3.nic2", "node3.nic2:leaf*"}) {
    const Fabric fabric = built(two_units(), {{match, 0.5}});
    EXPECT_DOUBLE_EQ(capacity(fabric, "node3.nic2->leaf2"), 25) << match;
    EXPECT_DOUBLE_EQ(capacity(fabric, "leaf2->node3.nic2"), 25) << match;
    EXPECT_DOUBLE_EQ(capacity(fabric, "node4.nic2->leaf2"), 50) << match;
  }
}

TEST(Faults, AllCablesOfALeaf) {
  const Fabric fabric = built(two_units(), {{"leaf3:*", 0.5}});
  EXPECT_DOUBLE_EQ(capacity(fabric, "leaf3->spines"), 800);
  EXPECT_DOUBLE_EQ(capacity(fabric, "spines->leaf3"), 800);
  EXPECT_DOUBLE_EQ(capacity(fabric, "node9.nic3->leaf3"), 25);
  EXPECT_DOUBLE_EQ(capacity(fabric, "leaf4->spines"), 1600);
}

// Four of the 32 cables of leaf 3 go to spine 7: the trunk loses half of 4/32; one of them, "#1": half of 1/32.
TEST(Faults, CablesOfATrunkByPhysicalName) {
  EXPECT_DOUBLE_EQ(capacity(built(two_units(), {{"leaf3->spine7", 0.5}}), "leaf3->spines"), 1600 * (28 + 4 * 0.5) / 32);
  EXPECT_DOUBLE_EQ(capacity(built(two_units(), {{"leaf3->spine7#1", 0.5}}), "leaf3->spines"), 1600 * 31.5 / 32);
  const Fabric down = built(two_units(), {{"spine7->leaf3", 0.5}});
  EXPECT_DOUBLE_EQ(capacity(down, "spines->leaf3"), 1600 * 30. / 32);
  EXPECT_DOUBLE_EQ(capacity(down, "leaf3->spines"), 1600);
}

TEST(Faults, TrunkByItsOwnNameAndCableNumber) {
  EXPECT_DOUBLE_EQ(capacity(built(two_units(), {{"leaf3->spines", 0.25}}), "leaf3->spines"), 400);
  EXPECT_DOUBLE_EQ(capacity(built(two_units(), {{"leaf3->spines#31", 0.5}}), "leaf3->spines"), 1600 * 31.5 / 32);
}

// The same fault means the same cables under every routing.
TEST(Faults, CapacityLostIsTheSameUnderEveryRouting) {
  for (const char* match : {"leaf3->spine7", "leaf3:*", "spine2:*", "leaf*->spine40", "*->core5", "spine*->core*#3"}) {
    auto lost = [&](RoutingKind routing) {
      ClusterSpec spec = cluster(512, FabricKind::rail_fat_tree, routing);
      spec.fabric.tiers = 3;
      const Fabric healthy = built(spec), slowed = built(spec, {{match, 0.5}});
      double sum = 0;
      for (LinkId id = 0; id < healthy.link_count(); ++id) sum += healthy.link(id).bytes_per_s - slowed.link(id).bytes_per_s;
      return sum;
    };
    const double collapsed = lost(RoutingKind::adaptive);
    EXPECT_GT(collapsed, 0) << match;
    EXPECT_NEAR(collapsed, lost(RoutingKind::ecmp), 1) << match;
  }
}

TEST(Faults, Multiply) {
  const Fabric fabric = built(two_units(), {{"leaf3->spine7", 0.5}, {"leaf3->*", 0.5}});
  EXPECT_DOUBLE_EQ(capacity(fabric, "leaf3->spines"), 1600 * (28 * 0.5 + 4 * 0.25) / 32);
}

TEST(Faults, NvlinkOfOneGpu) {
  const Fabric fabric = built(two_units(), {{"node5.gpu*->node5.nvswitch", 0.5}});
  EXPECT_DOUBLE_EQ(capacity(fabric, "node5.gpu7->node5.nvswitch"), 200);
  EXPECT_DOUBLE_EQ(capacity(fabric, "node6.gpu7->node6.nvswitch"), 400);
}

TEST(FaultErrors, SayWhatIsNear) {
  auto error = [](const char* match) { return build_error(two_units(), {{"leaf0:*", 0.5}, {match, 0.5}}); };
  EXPECT_EQ(error("leaf16->spine0").path, "faults.links.1.match");
  EXPECT_TRUE(contains(error("leaf16->spine0").help, "no device is called 'leaf16'; did you mean 'leaf1'?"));
  EXPECT_TRUE(contains(error("leaf1->spine8").help, "no device is called 'spine8'; did you mean 'spine"));
  EXPECT_TRUE(contains(error("leef3:*").help, "did you mean 'leaf3'?"));
  EXPECT_TRUE(contains(error("node0.nic0->leaf1").help, "'node0.nic0->leaf0'"));  // both exist, no cable joins them
  EXPECT_TRUE(contains(error("leaf3").help, "'leaf3:*'"));
  EXPECT_TRUE(contains(error("leaf3->spine7#4").what(), "matches no link"));
}

TEST(FaultErrors, FactorRange) {
  for (double factor : {-1.0, 1.5}) EXPECT_EQ(build_error(two_units(), {{"leaf0:*", factor}}).path, "faults.links.0.factor");
}

}  // namespace
}  // namespace gridlock::topology
