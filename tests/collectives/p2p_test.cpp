#include "collectives/p2p.hpp"

#include <gtest/gtest.h>

#include "collectives/time.hpp"
#include "tests/collectives/test_cluster.hpp"
#include "tests/collectives/units.hpp"

namespace gridlock::collectives {
namespace {

using test::Machine;

Choice p2p_choice() {
  Choice choice;
  choice.algorithm = Algorithm::point_to_point;
  return choice;
}

Pattern exchange(const Machine& m, Kind kind, const std::vector<topology::GpuId>& gpus) {
  return exchange_pattern(m.router, gpus, Exchange::even(kind, gpus.size()));
}

double seconds(const Machine& m, const Pattern& pattern, Kind kind, int ranks) {
  return idle_time_s(m.fabric, pattern, p2p_choice(), kind, ranks, 1 * gb);
}

// 8 GPUs of a node, 1 GB each: 7/8 GB out of and into every NVLink of 400 GB/s.
TEST(AllToAll, OneNodeIsBoundByNvlink) {
  const Machine m(1);
  const Pattern pattern = exchange(m, Kind::all_to_all, test::members(1, 8));
  EXPECT_EQ(pattern.bundles.size(), 56u);
  EXPECT_NEAR(seconds(m, pattern, Kind::all_to_all, 8), 0.875 / 400, 1e-12);
}

// 2 nodes of 8 over rails with PXN: half of every array, 0.5 GB, leaves through the receiver's rail: per NIC 8 * 0.5 / 8 GB
// out. 0.5 GB / 50 GB/s = 10 ms.
TEST(AllToAll, TwoNodesAreBoundByNics) {
  const Machine m(2);
  EXPECT_NEAR(seconds(m, exchange(m, Kind::all_to_all, test::members(2, 8)), Kind::all_to_all, 16), 0.010, 1e-12);
}

// Ring shift of 1 GB: one flow a GPU, NVLink inside (2.5 ms), one of each node over its NIC (20 ms).
TEST(SendRecv, ShiftsRoundTheRing) {
  const Machine one(1), two(2);
  EXPECT_NEAR(seconds(one, exchange(one, Kind::send_recv, test::members(1, 8)), Kind::send_recv, 8), 1.0 / 400, 1e-12);
  EXPECT_NEAR(seconds(two, exchange(two, Kind::send_recv, test::members(2, 8)), Kind::send_recv, 16), 0.020, 1e-12);
}

// Gather of 1 GB over 2 nodes of 8: the root, GPU 0, gets 8/16 GB through its NIC of 50 GB/s (10 ms) and 7/16 GB over NVLink.
// Scatter the same backwards: PXN spreads what leaves over all NICs of the node, 1/16 GB each, behind the root's NVLink of
// 400 GB/s, which carries 14/16 GB (its own NIC takes the rest): 2.1875 ms.
TEST(GatherScatter, TheRootIsTheBottleneck) {
  const Machine m(2);
  const auto gpus = test::members(2, 8);
  EXPECT_EQ(exchange(m, Kind::gather, gpus).bundles.size(), 15u);
  EXPECT_NEAR(seconds(m, exchange(m, Kind::gather, gpus), Kind::gather, 16), 0.010, 1e-12);
  EXPECT_NEAR(seconds(m, exchange(m, Kind::scatter, gpus), Kind::scatter, 16), 14.0 / 16 / 400, 1e-12);
}

// The pair with the most bytes has share 1; GPU 1 sends GPU 0 a third of that.
TEST(UnevenAllToAll, SharesAreOfTheLargestPair) {
  const Machine m(1);
  const Exchange uneven = Exchange::weighted({{0, 3}, {1, 0}});
  const Pattern pattern = exchange_pattern(m.router, test::members(1, 2), uneven);
  ASSERT_EQ(pattern.bundles.size(), 2u);
  EXPECT_DOUBLE_EQ(pattern.bundles[0].share, 1);
  EXPECT_DOUBLE_EQ(pattern.bundles[1].share, 1.0 / 3);
  EXPECT_DOUBLE_EQ(uneven.largest_share(), 1.5);
}

// The cap of a pair: 195 GB/s, as 8 A100 reach in nccl-tests' sendrecv. Fill: s c / (s + c) bytes, c 1 MiB.
TEST(SendRecv, ObeysTheCapOfAPair) {
  const Machine m(1);
  TuningParameters p;
  p.p2p_bytes_per_s = 195 * gb;
  const auto gpus = test::members(1, 8);
  const Choice choice = candidates(Kind::send_recv, 1 * gb, communicator_shape(m.fabric, m.router, gpus), p).front();
  const double time = idle_time_s(m.fabric, exchange(m, Kind::send_recv, gpus), choice, Kind::send_recv, 8, 1 * gb);
  const double fill = 1e9 * 1048576 / (1e9 + 1048576) / (195 * gb);
  EXPECT_NEAR(choice.fill_s, fill, 1e-12);
  EXPECT_NEAR(time, 11.8 * us + fill + 1.0 / 195, 1e-12);
  EXPECT_NEAR(choice.predicted_s, time - fill, 1e-12);
}

// The channels of a GPU are shared by the pairs that leave it. One node of 8, 12 * 20 GB/s: 240 / 7 a pair. Two nodes, 8 NICs of
// 24 GB/s: 0.85 * 8 * 24 / (8 * 8). Send/recv between nodes: 0.85 of a NIC.
TEST(PairCap, IsAShareOfTheChannels) {
  TuningParameters p;
  p.intra_channels = 12;
  p.intra_channel_bytes_per_s = 20 * gb;
  p.inter_channels = 1;
  p.inter_channel_bytes_per_s = 24 * gb;
  CommunicatorShape shape;
  shape.ranks = shape.ranks_per_node = 8;
  const auto cap = [&](Kind kind) { return candidates(kind, 1e9, shape, p).front().bus_cap_bytes_per_s; };
  EXPECT_NEAR(cap(Kind::all_to_all), 240 * gb / 7, 1);
  EXPECT_NEAR(cap(Kind::send_recv), 240 * gb, 1);
  shape.ranks = 16;
  shape.nodes = 2;
  shape.rails = 8;
  EXPECT_NEAR(cap(Kind::all_to_all), 2.55 * gb, 1);
  EXPECT_NEAR(cap(Kind::send_recv), 20.4 * gb, 1);
}

// Inside: 8.4 + 3.4 us. Between nodes: 8.4 + 14 + twice what the profile and links longer than 2 us add.
TEST(PointToPointLatency, InsideAndBetweenNodes) {
  auto spec = test::cluster(2);
  topology::LinkParameters links;
  links.nic_latency_s = 1 * us;
  const topology::Fabric fabric = topology::build_fabric(spec, links, {});
  const topology::Router router(fabric, 1);
  TuningParameters p;
  EXPECT_NEAR(p2p_latency_s(fabric, router.path(0, 1), p), 11.8 * us, 1e-12);
  const auto path = router.path(0, 8);
  ASSERT_GT(path.latency_s, 0);
  ASSERT_NEAR(path.latency_s, 2 * us, 1e-12);  // two NICs
  EXPECT_NEAR(p2p_latency_s(fabric, path, p), 22.4 * us, 1e-12);
  p.network_latency_s = 5 * us;
  EXPECT_NEAR(p2p_latency_s(fabric, path, p), 32.4 * us, 1e-12);
}

// 2 nodes of 8: 8 remote peers, so 7 posts of 1 us after the first.
TEST(PointToPointLatency, AllToAllPostsEveryRemotePeer) {
  CommunicatorShape shape;
  shape.ranks = 16;
  shape.nodes = 2;
  shape.ranks_per_node = 8;
  EXPECT_NEAR(candidates(Kind::all_to_all, 1024, shape, {}).front().latency_s, 29.4 * us, 1e-12);
}

}  // namespace
}  // namespace gridlock::collectives
