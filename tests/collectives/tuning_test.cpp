#include "collectives/tuning.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "collectives/algorithm_model.hpp"
#include "tests/collectives/units.hpp"

namespace gridlock::collectives {
namespace {

// 12 channels of 20 GB/s inside, one of 24 GB/s a NIC outside.
TuningParameters a100() {
  TuningParameters p;
  p.generation = Generation::ampere;
  p.intra_channels = 12;
  p.intra_channel_bytes_per_s = 20 * gb;
  p.inter_channels = 1;
  p.inter_channel_bytes_per_s = 24 * gb;
  return p;
}

CommunicatorShape shape(int nodes, int per_node) {
  CommunicatorShape s;
  s.ranks = nodes * per_node;
  s.nodes = nodes;
  s.ranks_per_node = per_node;
  return s;
}

Choice forced(Kind kind, double bytes, const CommunicatorShape& s, const TuningParameters& p, Algorithm algorithm,
              Protocol protocol) {
  return candidates(kind, bytes, s, p, {algorithm, protocol}).front();
}

Choice ring(Kind kind, double bytes, const CommunicatorShape& s, const TuningParameters& p, Protocol protocol) {
  return forced(kind, bytes, s, p, Algorithm::ring, protocol);
}

// Without filling the pipeline.
double startup(const Choice& choice) { return choice.latency_s - choice.fill_s; }
double tuner_latency(const Choice& choice) { return choice.tuner_latency_s; }

// A public NCCL log (2.29.7; 2 nodes of one rank, sockets) prints for all-gather: Ring latencies 11.6, 22.5, 22.4 us.
// One step, over the network, with the hop of Tree as there is one rank a node: 6.6 + 5.0, 14.0 + 8.5, 8.4 + 14.
TEST(RingLatency, EqualsAPublicLog) {
  const auto s = shape(2, 1);
  EXPECT_NEAR(tuner_latency(ring(Kind::all_gather, 1e6, s, a100(), Protocol::ll)), 11.6 * us, 1e-12);
  EXPECT_NEAR(tuner_latency(ring(Kind::all_gather, 1e6, s, a100(), Protocol::ll128)), 22.5 * us, 1e-12);
  EXPECT_NEAR(tuner_latency(ring(Kind::all_gather, 1e6, s, a100(), Protocol::simple)), 22.4 * us, 1e-12);
}

// 8 ranks of one node, all-reduce: 14 steps over NVLink. LL 6.6 + 14 * 0.6, LL128 14 + 14 * 1.9, Simple 8.4 + 14 * 3.4.
TEST(RingLatency, OneNode) {
  const auto s = shape(1, 8);
  EXPECT_NEAR(tuner_latency(ring(Kind::all_reduce, 8, s, a100(), Protocol::ll)), 15.0 * us, 1e-12);
  EXPECT_NEAR(tuner_latency(ring(Kind::all_reduce, 8, s, a100(), Protocol::ll128)), 40.6 * us, 1e-12);
  EXPECT_NEAR(tuner_latency(ring(Kind::all_reduce, 8, s, a100(), Protocol::simple)), 56.0 * us, 1e-12);
  EXPECT_NEAR(tuner_latency(ring(Kind::broadcast, 8, s, a100(), Protocol::ll)), 7.2 * us, 1e-12);
}

// 4 nodes of 8, all-reduce: 62 steps, 6 of them between nodes. Host overhead per step 1 us (Intel), 3 us with Simple.
// The network adds 2 us a crossing, twice with Simple. LL: 6.6 + 56 * max(0.6, 1) + 6 * (2.7 + 2) = 90.8.
// Simple: 8.4 + 56 * max(3.4, 3) + 6 * (14 + 4) = 306.8, times 1.4 from 64 B a channel and rank on: 8 channels, 32 ranks, 16 KiB.
TEST(RingLatency, SeveralNodes) {
  const auto s = shape(4, 8);
  auto p = a100();
  p.network_latency_s = 2 * us;
  EXPECT_NEAR(tuner_latency(ring(Kind::all_reduce, 1024, s, p, Protocol::ll)), 90.8 * us, 1e-12);
  EXPECT_NEAR(tuner_latency(ring(Kind::all_reduce, 16383, s, p, Protocol::simple)), 306.8 * us, 1e-12);
  EXPECT_NEAR(tuner_latency(ring(Kind::all_reduce, 16384, s, p, Protocol::simple)), 1.4 * 306.8 * us, 1e-12);
  EXPECT_NEAR(startup(ring(Kind::all_reduce, 16384, s, p, Protocol::simple)), 1.4 * 306.8 * us, 1e-12);
  p.cpu = Cpu::amd;  // 2 us a step: 6.6 + 56 * 2 + 6 * 4.7
  EXPECT_NEAR(tuner_latency(ring(Kind::all_reduce, 1024, s, p, Protocol::ll)), 146.8 * us, 1e-12);
}

// What a plugin tells the tuner decides the choice, what the network takes the time: 6.6 + 56 + 6 * (2.7 + 75), or + 20.
TEST(RingLatency, ReportedAndReal) {
  auto p = a100();
  p.network_latency_s = 20 * us;
  p.reported_latency_s = 75 * us;
  const Choice choice = ring(Kind::all_reduce, 1024, shape(4, 8), p, Protocol::ll);
  EXPECT_NEAR(choice.tuner_latency_s, 528.8 * us, 1e-12);
  EXPECT_NEAR(choice.latency_s, 198.8 * us, 1e-12);
}

// A path of 5 us is 3 longer than the one NCCL's table was measured on. LL on 2 nodes of one rank: 6.6 + 2 * (5 + 3).
TEST(RingLatency, LongPathsAddWhatTheTableDoesNotHold) {
  auto s = shape(2, 1);
  s.path_latency_s = 5 * us;
  const Choice choice = ring(Kind::all_reduce, 8, s, a100(), Protocol::ll);
  EXPECT_NEAR(choice.tuner_latency_s, 16.6 * us, 1e-12);
  EXPECT_NEAR(startup(choice), 22.6 * us, 1e-12);
}

// 4 GPUs over PCIe, all-reduce with LL: 6 hops of 1.0 us and 1.2 us of links. Packets of 32 bytes carry 32 of 56, of 256 bytes
// 256 of 280: LL moves 0.625 of the tuner's 120 GB/s. Through two sockets 0.8 of that.
TEST(RingOverPcie, HopsPacketsAndSockets) {
  auto s = shape(1, 4);
  s.nvlink = false;
  s.pcie_path_s = 1.2 * us;
  auto p = a100();
  p.intra_channels = 2;
  const Choice ll = ring(Kind::all_reduce, 8, s, p, Protocol::ll);
  EXPECT_NEAR(ll.tuner_latency_s, 12.6 * us, 1e-12);
  EXPECT_NEAR(startup(ll), 19.8 * us, 1e-12);
  EXPECT_NEAR(ll.bus_cap_bytes_per_s, 20 * gb * 0.625, 1);
  s.crosses_sockets = true;
  EXPECT_NEAR(ring(Kind::all_reduce, 8, s, p, Protocol::ll).bus_cap_bytes_per_s, 20 * gb * 0.625 * 0.8, 1);
  EXPECT_NEAR(ring(Kind::all_reduce, 8, s, p, Protocol::simple).bus_cap_bytes_per_s, 40 * gb * 0.8, 1);
}

// Three nodes are a chain of two levels in NCCL's tree, which the tuner counts as one: LL, one rank a node, 6.8 + 2 * levels * 5.
TEST(TreeLatency, RealAndCountedLevels) {
  const auto tree = [](int nodes) { return forced(Kind::all_reduce, 8, shape(nodes, 1), a100(), Algorithm::tree, Protocol::ll); };
  EXPECT_NEAR(tree(3).tuner_latency_s, 16.8 * us, 1e-12);
  EXPECT_NEAR(tree(3).latency_s, 26.8 * us, 1e-12);
  EXPECT_NEAR(tree(4).tuner_latency_s, 26.8 * us, 1e-12);
  EXPECT_NEAR(tree(4).latency_s, 26.8 * us, 1e-12);
  EXPECT_NEAR(tree(9).tuner_latency_s, 36.8 * us, 1e-12);
  EXPECT_NEAR(tree(9).latency_s, 46.8 * us, 1e-12);
}

// Tree with Simple, 4 nodes of 8: channels copy 240 GB/s up and down: 120. 16 channels' chunks of 512 KiB are 8 MiB; 7 NVLink
// hops at 240 GB/s and 2 levels at 8 * 24 = 192, up and down. A call of 1 MB is less than those chunks.
TEST(TreeSimple, SpeedAndFill) {
  const auto tree = [](double bytes) {
    return forced(Kind::all_reduce, bytes, shape(4, 8), a100(), Algorithm::tree, Protocol::simple);
  };
  EXPECT_NEAR(tree(1e9).bus_cap_bytes_per_s, 120 * gb, 1);
  EXPECT_NEAR(tree(1e9).fill_s, 2 * 8388608.0 * (7 / (240 * gb) + 2 / (192 * gb)), 1e-12);
  EXPECT_NEAR(tree(1e6).fill_s, 2 * 1e6 * (7 / (240 * gb) + 2 / (192 * gb)), 1e-12);
}

// One node, 12 x 20 = 240: Simple 240, LL128 min(0.92 * 240, 12 * 20), LL min(87.7, 120).
// 4 nodes, 8 x 24 = 192: Simple 192, LL128 min(176.64, 8 * 20), LL min(20.4, 96).  2 nodes: min(240, 192).
TEST(RingBandwidth, ByProtocolAndNodes) {
  const auto bus = [](const CommunicatorShape& s, Protocol protocol) {
    return ring(Kind::all_reduce, 1e9, s, a100(), protocol).bus_cap_bytes_per_s / gb;
  };
  EXPECT_NEAR(bus(shape(1, 8), Protocol::simple), 240, 1e-9);
  EXPECT_NEAR(bus(shape(1, 8), Protocol::ll128), 220.8, 1e-9);
  EXPECT_NEAR(bus(shape(1, 8), Protocol::ll), 87.7, 1e-9);
  EXPECT_NEAR(bus(shape(4, 8), Protocol::simple), 192, 1e-9);
  EXPECT_NEAR(bus(shape(4, 8), Protocol::ll128), 160, 1e-9);
  EXPECT_NEAR(bus(shape(4, 8), Protocol::ll), 20.4, 1e-9);
  EXPECT_NEAR(bus(shape(2, 8), Protocol::simple), 192, 1e-9);
  EXPECT_NEAR(bus(shape(2, 1), Protocol::simple), 24, 1e-9);
}

// Channels of the graph twice; fast ones (above 45 GB/s) of Hopper four times where twice were fewer than 16; as many as asked.
// At 20 GB/s a running channel: 8 NICs of 48 GB/s 16 * 20 = 320, below 384; with 24 channels the NICs; one NIC 4 * 20, above 48.
TEST(RunningChannels, CopyNoMoreThanTheySay) {
  auto p = a100();
  EXPECT_EQ(running_channels(shape(4, 8), p), 16);
  EXPECT_EQ(running_channels(shape(4, 1), p), 2);
  p.generation = Generation::hopper;
  EXPECT_EQ(running_channels(shape(4, 1), p), 2);  // 24 GB/s
  p.inter_channel_bytes_per_s = 48 * gb;
  EXPECT_EQ(running_channels(shape(4, 8), p), 16);
  EXPECT_EQ(running_channels(shape(4, 4), p), 16);
  EXPECT_EQ(running_channels(shape(4, 1), p), 4);
  const auto bus = [&](int per_node) {
    return ring(Kind::all_reduce, 1e9, shape(4, per_node), p, Protocol::simple).bus_cap_bytes_per_s / gb;
  };
  EXPECT_NEAR(bus(8), 384, 1e-9);
  p.channel_copy_bytes_per_s = 20 * gb;
  EXPECT_NEAR(bus(8), 320, 1e-9);
  EXPECT_NEAR(bus(1), 48, 1e-9);
  EXPECT_NEAR(ring(Kind::all_reduce, 1e9, shape(4, 8), p, Protocol::simple).tuner_bytes_per_s / gb, 384, 1e-9);  // it is not told
  p.min_channels = 24;
  EXPECT_EQ(running_channels(shape(4, 8), p), 24);
  EXPECT_NEAR(bus(8), 384, 1e-9);
}

// 8 ranks, LL: 512 threads * 8 B * 8 = 32 KiB a channel, Simple 32 KiB; 24 channels in all. Over NVLink one LL channel moves
// 9.5 GB/s, so a call of 32 to 512 KiB takes as long as one of 32 KiB: 1.75 * 32 KiB / 9.5 GB/s = 6 us.
TEST(UsedChannels, GrowWithTheCall) {
  const auto s = shape(1, 8);
  auto p = a100();
  p.generation = Generation::hopper;
  const auto used = [&](double bytes, Protocol protocol) { return used_channels({Kind::all_reduce, bytes, s, p}, protocol); };
  const double kib = 1024;
  EXPECT_EQ(used(8, Protocol::ll), 1);
  EXPECT_EQ(used(256 * kib, Protocol::ll), 8);
  EXPECT_EQ(used(1e9, Protocol::ll), 24);
  EXPECT_EQ(used(256 * kib, Protocol::simple), 8);
  EXPECT_EQ(used(64 * kib, Protocol::ll128), 16);
  const auto flow = [&](double bytes) {
    return 1.75 * bytes / ring(Kind::all_reduce, bytes, s, p, Protocol::ll).bus_cap_bytes_per_s;
  };
  EXPECT_NEAR(flow(32 * kib), 1.75 * 32 * kib / 9.5e9, 1e-12);
  EXPECT_NEAR(flow(256 * kib), flow(32 * kib), 1e-12);
  EXPECT_NEAR(flow(16 * kib), flow(32 * kib) / 2, 1e-12);
}

// The tuner's estimate is latency + bytes * steps / (n * bus): 56 us + 1e9 * 14/8 / 240e9.
TEST(Candidates, PredictByTheFormula) {
  const Choice choice = ring(Kind::all_reduce, 1e9, shape(1, 8), a100(), Protocol::simple);
  EXPECT_NEAR(choice.predicted_s, 56 * us + 1.75 * 1e9 / (240 * gb), 1e-12);
  EXPECT_EQ(choice.wire_inflation, 1);
  EXPECT_EQ(ring(Kind::all_reduce, 1e9, shape(1, 8), a100(), Protocol::ll).wire_inflation, 2);
  EXPECT_NEAR(ring(Kind::all_reduce, 1e9, shape(1, 8), a100(), Protocol::ll128).wire_inflation, 128.0 / 120, 1e-15);
}

// Filling the pipeline of chunks: 2 MiB on each of 2 * 12 channels at 240 GB/s is a chunk of c = 210 us; the transfer takes
// x = 7.3 ms; x c / (x + c). A call of less than a chunk waits for all of itself; LL, which flags every 8 bytes, for nothing.
TEST(Fill, IsAChunkAtMost) {
  const double c = 24 * 2097152 / (240 * gb), x = 1.75 * 1e9 / (240 * gb), small = 1.75 * 1e4 / (240 * gb);
  EXPECT_NEAR(ring(Kind::all_reduce, 1e9, shape(1, 8), a100(), Protocol::simple).fill_s, x * c / (x + c), 1e-12);
  EXPECT_NEAR(ring(Kind::all_reduce, 1e4, shape(1, 8), a100(), Protocol::simple).fill_s, small, 1e-9);
  EXPECT_EQ(ring(Kind::all_reduce, 1e9, shape(1, 8), a100(), Protocol::ll).fill_s, 0);
}

// Over several nodes NVLink brings chunks ahead of time and NICs never wait. One rank a node: a slice, half a chunk of 2 * 2 MiB
// at 24 GB/s or, if less, a quarter of a step: x = 1.5e6 / 24 GB/s over 4 * 3.
TEST(Fill, OfRingsOverNics) {
  EXPECT_EQ(ring(Kind::all_reduce, 1e9, shape(4, 8), a100(), Protocol::simple).fill_s, 0);
  const double x = 1.5e6 / (24 * gb), slice = x / 12;
  EXPECT_NEAR(ring(Kind::all_reduce, 1e6, shape(4, 1), a100(), Protocol::simple).fill_s, x * slice / (x + slice), 1e-12);
  EXPECT_EQ(ring(Kind::all_reduce, 1e6, shape(4, 1), a100(), Protocol::ll128).fill_s, 0);
}

TEST(Candidates, SmallCallsUseLlAndLargeOnesSimple) {
  const auto s = shape(1, 8);
  EXPECT_EQ(candidates(Kind::all_gather, 1024, s, a100()).front().protocol, Protocol::ll);
  EXPECT_EQ(candidates(Kind::all_gather, 1e9, s, a100()).front().protocol, Protocol::simple);
}

TEST(Candidates, AreSortedByPrediction) {
  for (double bytes = 8; bytes < 1e10; bytes *= 4) {
    EXPECT_TRUE(std::ranges::is_sorted(candidates(Kind::all_reduce, bytes, shape(4, 8), a100()), {}, &Choice::predicted_s));
  }
}

// LL128 needs NVLink inside the node or one rank a node, and NICs that read GPU memory beside them, unless the user asks for it.
TEST(Candidates, Ll128IsOffOnPlainPcie) {
  auto s = shape(1, 4);
  s.nvlink = false;
  for (const Choice& choice : candidates(Kind::all_reduce, 1e6, s, a100())) EXPECT_NE(choice.protocol, Protocol::ll128);
  EXPECT_EQ(candidates(Kind::all_reduce, 1e6, s, a100(), {.protocol = Protocol::ll128}).front().protocol, Protocol::ll128);
}

TEST(Candidates, Ll128BetweenNodes) {
  const auto offered = [](const CommunicatorShape& s, const TuningParameters& p) {
    const auto choices = candidates(Kind::all_reduce, 1e6, s, p);
    return std::ranges::find(choices, Protocol::ll128, &Choice::protocol) != choices.end();
  };
  auto s = shape(2, 1);
  s.nvlink = false;
  EXPECT_TRUE(offered(s, a100()));
  s.near_nics = false;
  EXPECT_FALSE(offered(s, a100()));
  auto staged = a100();
  staged.gpudirect = false;
  EXPECT_FALSE(offered(shape(2, 8), staged));
  EXPECT_TRUE(offered(shape(1, 8), staged));
}

TEST(Candidates, ImpossibleOverrideSaysSo) {
  try {
    candidates(Kind::all_to_all, 1e6, shape(1, 8), a100(), {.algorithm = Algorithm::ring});
    FAIL() << "no exception";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "all-to-all over 8 ranks on 1 node cannot use Ring; possible: P2P with Simple");
  }
}

TEST(Candidates, PointToPointKindsHaveTheirOwn) {
  for (const Kind kind : {Kind::all_to_all, Kind::send_recv}) {
    const auto choices = candidates(kind, 1e6, shape(2, 8), a100());
    ASSERT_EQ(choices.size(), 1u);
    EXPECT_EQ(choices[0].algorithm, Algorithm::point_to_point);
  }
}

// More bytes never take less, more bandwidth never takes more: for the ring's estimates, whatever the shape.
TEST(Candidates, RingEstimateIsMonotone) {
  EXPECT_TRUE(rc::check([] {
    const Kind kind = *rc::gen::element(Kind::all_reduce, Kind::reduce_scatter, Kind::all_gather, Kind::broadcast, Kind::reduce);
    const Protocol protocol = *rc::gen::element(Protocol::ll, Protocol::ll128, Protocol::simple);
    const auto s = shape(*rc::gen::inRange(1, 65), *rc::gen::inRange(2, 9));
    TuningParameters p = a100();
    p.generation = *rc::gen::element(Generation::volta, Generation::ampere, Generation::hopper, Generation::blackwell);
    p.intra_channel_bytes_per_s = *rc::gen::inRange(1, 100) * gb;
    p.inter_channel_bytes_per_s = *rc::gen::inRange(1, 100) * gb;
    const double bytes = *rc::gen::inRange(8, 1 << 30), more = bytes + *rc::gen::inRange(0, 1 << 30);
    const double before = ring(kind, bytes, s, p, protocol).predicted_s;
    RC_ASSERT(ring(kind, more, s, p, protocol).predicted_s >= before);
    p.intra_channel_bytes_per_s *= 1.5;
    RC_ASSERT(ring(kind, bytes, s, p, protocol).predicted_s <= before);
    p.inter_channel_bytes_per_s *= 1.5;
    RC_ASSERT(ring(kind, bytes, s, p, protocol).predicted_s <= before);
  }));
}

}  // namespace
}  // namespace gridlock::collectives
