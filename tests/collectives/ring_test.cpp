#include <gtest/gtest.h>

#include <algorithm>

#include "collectives/pattern.hpp"
#include "tests/collectives/test_cluster.hpp"

namespace gridlock::collectives {
namespace {

using test::Machine;
using topology::GpuId;

double total_share(const Pattern& pattern) {
  double sum = 0;
  for (const Bundle& bundle : pattern.bundles) sum += bundle.share;
  return sum;
}

// nccl-tests: all-reduce 2 (n-1)/n S on each edge, reduce-scatter and all-gather (n-1)/n S, broadcast and reduce S.
TEST(RingWireBytes, FollowTheAlgorithm) {
  EXPECT_DOUBLE_EQ(ring_wire_bytes(Kind::all_reduce, 4, 1000), 1500);
  EXPECT_DOUBLE_EQ(ring_wire_bytes(Kind::reduce_scatter, 4, 1000), 750);
  EXPECT_DOUBLE_EQ(ring_wire_bytes(Kind::all_gather, 4, 1000), 750);
  EXPECT_DOUBLE_EQ(ring_wire_bytes(Kind::broadcast, 4, 1000), 1000);
  EXPECT_DOUBLE_EQ(ring_wire_bytes(Kind::reduce, 4, 1000), 1000);
  EXPECT_THROW(ring_wire_bytes(Kind::all_to_all, 4, 1000), std::logic_error);
}

// One NVSwitch node: every member's link to the switch and back is crossed once, by one bundle; nothing else is used.
TEST(RingPattern, OneNodeLoadsEveryMemberOnce) {
  const Machine m(1);
  for (const int n : {2, 3, 8}) {
    const Pattern pattern = ring_pattern(m.fabric, m.router, test::members(1, n));
    ASSERT_EQ(pattern.bundles.size(), 1u);
    EXPECT_EQ(pattern.bundles[0].share, 1);
    EXPECT_EQ(pattern.bundles[0].links.size(), 2u * n);
    const auto load = test::loads(m.fabric, pattern);
    for (GpuId g = 0; g < static_cast<GpuId>(n); ++g) {
      EXPECT_EQ(test::nvlink_out(m, load, g), 1);
      EXPECT_EQ(test::nvlink_in(m, load, g), 1);
    }
  }
}

// Any order of ranks is the same ring on a switch.
TEST(RingPattern, OneNodeDoesNotDependOnRankOrder) {
  const Machine m(1);
  const std::vector<GpuId> sorted{1, 2, 5, 7}, mixed{5, 1, 7, 2};
  EXPECT_EQ(ring_pattern(m.fabric, m.router, sorted).bundles[0].links, ring_pattern(m.fabric, m.router, mixed).bundles[0].links);
}

class MultiNodeRing : public testing::TestWithParam<std::tuple<int, int>> {};

// m members a node with a NIC each, so m channels of share 1/m. Every NIC carries 1/m in and 1/m out. NVLink out of a member: it
// is the last of its node in one channel of m. Even number of nodes: that one leaves by its own NIC, (m-1)/m cross NVLink. Odd:
// the last member reaches the channel's NIC over NVLink too, so all m do; and m/m come in, one of them on the way to its NIC.
TEST_P(MultiNodeRing, LoadsNicsAndNvlinkEvenly) {
  const auto [nodes, per_node] = GetParam();
  const Machine m(nodes);
  const Pattern pattern = ring_pattern(m.fabric, m.router, test::members(nodes, per_node));
  EXPECT_NEAR(total_share(pattern), 1, 1e-12);
  const auto load = test::loads(m.fabric, pattern);
  const double each = 1.0 / per_node;
  const bool detour = nodes % 2 == 1 && per_node > 1;
  const double nvlink = detour ? 1 : 1 - each;
  for (int node = 0; node < nodes; ++node) {
    for (int local = 0; local < 8; ++local) {
      const bool member = local < per_node;
      const auto index = static_cast<std::size_t>(node * 8 + local);
      EXPECT_NEAR(test::nic_out(m, load, index), member ? each : 0, 1e-12) << "node " << node << " nic " << local;
      EXPECT_NEAR(test::nic_in(m, load, index), member ? each : 0, 1e-12) << "node " << node << " nic " << local;
      EXPECT_NEAR(test::nvlink_out(m, load, static_cast<GpuId>(index)), member ? nvlink : 0, 1e-12);
      EXPECT_NEAR(test::nvlink_in(m, load, static_cast<GpuId>(index)), member ? nvlink : 0, 1e-12);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, MultiNodeRing, testing::Combine(testing::Values(2, 3, 4, 5, 8), testing::Values(1, 2, 3, 4, 8)));

// Rings stay on their rail between nodes of one scalable unit: no spine is used.
TEST(RingPattern, StaysOnItsRail) {
  const Machine m(4);
  const auto load = test::loads(m.fabric, ring_pattern(m.fabric, m.router, test::members(4, 8)));
  for (std::size_t id = 0; id < load.size(); ++id) {
    const auto kind = m.fabric.link(static_cast<topology::LinkId>(id)).kind;
    if (kind == topology::LinkKind::uplink || kind == topology::LinkKind::core) {
      EXPECT_EQ(load[id], 0);
    }
  }
}

// Ranks in any order lay the same ring over nodes whose lowest ranks come in the same order.
TEST(RingPattern, GroupsScatteredRanksByNode) {
  const Machine m(2);
  const std::vector<GpuId> blocked{0, 1, 8, 9}, strided{0, 8, 1, 9};
  const Pattern a = ring_pattern(m.fabric, m.router, blocked), b = ring_pattern(m.fabric, m.router, strided);
  ASSERT_EQ(a.bundles.size(), b.bundles.size());
  for (std::size_t i = 0; i < a.bundles.size(); ++i) EXPECT_EQ(a.bundles[i].links, b.bundles[i].links);
}

// 3 members on node 0, 1 on node 1: one rail, as the second node has one NIC to give. Each node is entered and left once.
TEST(RingPattern, NodesOfDifferentSizeUseTheFewestRails) {
  const Machine m(2);
  const std::vector<GpuId> gpus{0, 1, 2, 9};
  const Pattern pattern = ring_pattern(m.fabric, m.router, gpus);
  ASSERT_EQ(pattern.bundles.size(), 1u);
  const auto load = test::loads(m.fabric, pattern);
  double out = 0, in = 0;
  for (std::size_t nic = 0; nic < 16; ++nic) {
    out += test::nic_out(m, load, nic);
    in += test::nic_in(m, load, nic);
  }
  EXPECT_DOUBLE_EQ(out, 2);
  EXPECT_DOUBLE_EQ(in, 2);
  EXPECT_DOUBLE_EQ(test::nic_out(m, load, 9), 1);  // the common NIC index is 1: its rail is used on both nodes
  EXPECT_DOUBLE_EQ(test::nic_out(m, load, 1), 1);
}

// Four NICs for eight GPUs: four channels, two members beside each NIC; every NIC carries a quarter in and out.
TEST(RingPattern, MembersShareNics) {
  for (const int nodes : {2, 3}) {
    const Machine m(test::cluster(nodes, topology::RoutingKind::adaptive, 4));
    const Pattern pattern = ring_pattern(m.fabric, m.router, test::members(nodes, 8));
    const auto load = test::loads(m.fabric, pattern);
    for (std::size_t nic = 0; nic < static_cast<std::size_t>(nodes) * 4; ++nic) {
      EXPECT_NEAR(test::nic_out(m, load, nic), 0.25, 1e-12);
      EXPECT_NEAR(test::nic_in(m, load, nic), 0.25, 1e-12);
    }
  }
}

// Two channels asked of one NIC: the same route, so one bundle of both shares.
TEST(RingPattern, EqualChannelsMerge) {
  const Machine m(4);
  const Pattern pattern = ring_pattern(m.fabric, m.router, test::members(4, 1), 2);
  ASSERT_EQ(pattern.bundles.size(), 1u);
  EXPECT_DOUBLE_EQ(pattern.bundles[0].share, 1);
}

// Under ecmp each channel is hashed on its own. The shares still add up, and each NIC still carries its part.
TEST(RingPattern, EcmpDoublesChannels) {
  auto spec = test::cluster(8, topology::RoutingKind::ecmp);
  spec.fabric.scalable_unit = 2;
  const Machine m(spec);
  const Pattern pattern = ring_pattern(m.fabric, m.router, test::members(8, 1));
  EXPECT_NEAR(total_share(pattern), 1, 1e-12);
  const auto load = test::loads(m.fabric, pattern);
  for (std::size_t node = 0; node < 8; ++node) EXPECT_NEAR(test::nic_out(m, load, node * 8), 1, 1e-12);
}

TEST(RingPattern, LinksAreSortedAndUnique) {
  const Machine m(3);
  for (const Bundle& bundle : ring_pattern(m.fabric, m.router, test::members(3, 8)).bundles) {
    EXPECT_TRUE(std::ranges::is_sorted(bundle.links, {}, &WeightedLink::link));
    EXPECT_EQ(std::ranges::adjacent_find(bundle.links, {}, &WeightedLink::link), bundle.links.end());
  }
}

TEST(RingPattern, NeedsTwoMembers) {
  const Machine m(1);
  EXPECT_THROW(ring_pattern(m.fabric, m.router, test::members(1, 1)), std::logic_error);
}

}  // namespace
}  // namespace gridlock::collectives
