#include <gtest/gtest.h>

#include "collectives/time.hpp"
#include "tests/collectives/test_cluster.hpp"
#include "tests/collectives/units.hpp"

namespace gridlock::collectives {
namespace {

using test::Machine;

// 8 channels of 60 GB/s inside, 40 outside, as an H100 log prints (NVIDIA/nccl issue 1197).
TuningParameters h100() {
  TuningParameters p;
  p.intra_channels = 12;
  p.intra_channel_bytes_per_s = 30 * gb;
  p.inter_channels = 1;
  p.inter_channel_bytes_per_s = 48 * gb;
  p.nvls_channels = 8;
  p.nvls_channel_bytes_per_s = 60 * gb;
  p.nvls_inter_channel_bytes_per_s = 40 * gb;
  p.nvls_bytes_per_s = 275 * gb;
  return p;
}

CommunicatorShape nvls_shape(int nodes, int per_node) {
  CommunicatorShape s;
  s.ranks = nodes * per_node;
  s.nodes = nodes;
  s.ranks_per_node = per_node;
  return s;
}

Choice nvls_choice(Algorithm algorithm) {
  Choice choice;
  choice.algorithm = algorithm;
  return choice;
}

// The example of nvls.cpp: 1.125 GB each way over 400 GB/s.
TEST(NvlsPattern, OneNode) {
  const Machine m(1);
  const Pattern pattern = nvls_pattern(m.fabric, m.router, test::members(1, 8));
  const auto load = test::loads(m.fabric, pattern);
  for (topology::GpuId g = 0; g < 8; ++g) {
    EXPECT_DOUBLE_EQ(test::nvlink_out(m, load, g), 1.125);
    EXPECT_DOUBLE_EQ(test::nvlink_in(m, load, g), 1.125);
  }
  EXPECT_NEAR(idle_time_s(m.fabric, pattern, nvls_choice(Algorithm::nvls), Kind::all_reduce, 8, 1 * gb), 1.125 / 400, 1e-12);
}

// N nodes of m, one head a rail: NVLink 1 + 1/m each way; NICs as the double tree: 2 (N-1) out of all of them together.
TEST(NvlsTreePattern, LoadsSwitchAndTrees) {
  for (const int nodes : {2, 3, 4}) {
    for (const int per_node : {2, 8}) {
      const Machine m(nodes);
      const auto load = test::loads(m.fabric, nvls_tree_pattern(m.fabric, m.router, test::members(nodes, per_node)));
      double out = 0;
      for (int node = 0; node < nodes; ++node) {
        for (int i = 0; i < per_node; ++i) {
          const auto index = static_cast<std::size_t>(node * 8 + i);
          EXPECT_NEAR(test::nvlink_out(m, load, static_cast<topology::GpuId>(index)), 1 + 1.0 / per_node, 1e-12);
          EXPECT_NEAR(test::nvlink_in(m, load, static_cast<topology::GpuId>(index)), 1 + 1.0 / per_node, 1e-12);
          out += test::nic_out(m, load, index);
        }
      }
      EXPECT_NEAR(out, 2 * (nodes - 1), 1e-9);
    }
  }
}

// 2 nodes of 8: NICs 1/8 GB out each, 50 GB/s: 2.5 ms; NVLink 1.125 GB: 2.8 ms is slower.
TEST(NvlsTreePattern, TwoNodesAreBoundByNvlink) {
  const Machine m(2);
  const Pattern pattern = nvls_tree_pattern(m.fabric, m.router, test::members(2, 8));
  EXPECT_NEAR(idle_time_s(m.fabric, pattern, nvls_choice(Algorithm::nvls_tree), Kind::all_reduce, 16, 1 * gb), 1.125 / 400, 1e-9);
}

TEST(NvlsPattern, NeedsSwitchAndMembers) {
  const Machine one(1), two(2);
  EXPECT_THROW(nvls_pattern(two.fabric, two.router, test::members(2, 8)), std::logic_error);
  EXPECT_THROW(nvls_tree_pattern(one.fabric, one.router, test::members(1, 8)), std::logic_error);
  EXPECT_THROW(nvls_tree_pattern(two.fabric, two.router, test::members(2, 1)), std::logic_error);
}

// NVLS: 25 us; tuner 8 * 60 * 0.85 * 7/8 * 2 * 8/14 = 408 GB/s, flows 275.
// NVLSTree on 2 nodes: 25 + 2 * 1 * 20.9; min(89.25, 80, 57.7) * 8 * 16/30 = 246.19 GB/s. 4 nodes: min(.., 40, 45.5) * 8 * 32/62;
// flows without the 40.
TEST(NvlsModel, LatencyAndBandwidth) {
  const auto nvls = candidates(Kind::all_reduce, 1 * gb, nvls_shape(1, 8), h100(), {.algorithm = Algorithm::nvls}).front();
  EXPECT_NEAR(nvls.latency_s - nvls.fill_s, 25 * us, 1e-12);
  EXPECT_NEAR(nvls.predicted_s, 25 * us + 1.0 / 408, 1e-12);
  EXPECT_NEAR(nvls.bus_cap_bytes_per_s, 275 * gb, 1);
  const auto two = candidates(Kind::all_reduce, 1 * gb, nvls_shape(2, 8), h100(), {.algorithm = Algorithm::nvls_tree}).front();
  EXPECT_NEAR(two.tuner_latency_s, 66.8 * us, 1e-12);
  EXPECT_NEAR(two.latency_s - two.fill_s, 66.8 * us, 1e-12);
  EXPECT_NEAR(two.bus_cap_bytes_per_s, 57.7 * gb * 8 * 16 / 30, 1);
  const auto four = candidates(Kind::all_reduce, 1 * gb, nvls_shape(4, 8), h100(), {.algorithm = Algorithm::nvls_tree}).front();
  EXPECT_NEAR(four.tuner_bytes_per_s, 40 * gb * 8 * 32 / 62, 1);
  EXPECT_NEAR(four.bus_cap_bytes_per_s, 45.5 * gb * 8 * 32 / 62, 1);
}

// NVIDIA/nccl-tests issue 309, 8 H100: all-reduce to 1 MB is Ring with LL, from 2 MB on NVLS.
TEST(NvlsModel, TakesOverWhereItWasSeenTo) {
  EXPECT_EQ(candidates(Kind::all_reduce, 1 << 18, nvls_shape(1, 8), h100()).front().algorithm, Algorithm::ring);
  EXPECT_EQ(candidates(Kind::all_reduce, 1 << 18, nvls_shape(1, 8), h100()).front().protocol, Protocol::ll);
  EXPECT_EQ(candidates(Kind::all_reduce, 1 << 21, nvls_shape(1, 8), h100()).front().algorithm, Algorithm::nvls);
  EXPECT_EQ(candidates(Kind::all_reduce, 1 << 30, nvls_shape(2, 8), h100()).front().algorithm, Algorithm::nvls_tree);
  // H200 nodes: ring at 4 GPUs, NVLS from 5 on.
  EXPECT_EQ(candidates(Kind::all_reduce, 1 << 30, nvls_shape(1, 4), h100()).front().algorithm, Algorithm::ring);
  EXPECT_EQ(candidates(Kind::all_reduce, 1 << 30, nvls_shape(1, 5), h100()).front().algorithm, Algorithm::nvls);
}

// NVLSTree's chunk rule. 8 nodes are 3 levels deep; 16 channels' chunks of at most 64 KiB pass a NIC of 48 GB/s per level, up and
// down: 6 * 16 * 64 KiB / 48 GB/s; those of 8 heads pass the switch at 275 GB/s: 8 * 16 * 64 KiB / 275 GB/s. Calls below 16 * 8
// chunks (8 MiB) take 32 KiB, and one below that fills no more than its bytes.
TEST(NvlsTreeFill, ChunksPassEveryLevel) {
  auto p = h100();
  p.inter_channels = 1;
  p.inter_channel_bytes_per_s = 48 * gb;
  const auto fill = [&](double bytes, int nodes) {
    return candidates(Kind::all_reduce, bytes, nvls_shape(nodes, 8), p, {.algorithm = Algorithm::nvls_tree}).front().fill_s;
  };
  const double kib = 1024;
  const auto expected = [](int passes, double channels, double chunk) {
    return channels * chunk * (passes / (48 * gb) + 8 / (275 * gb));
  };
  EXPECT_NEAR(fill(1e9, 8), expected(6, 16, 64 * kib), 1e-12);
  EXPECT_NEAR(fill(6e6, 8), expected(6, 16, 32 * kib), 1e-12);
  EXPECT_NEAR(fill(1e6, 8), expected(6, 16, 1e6 / 128), 1e-12);
  EXPECT_NEAR(fill(1e9, 2), expected(2, 16, 128 * kib), 1e-12);
  p.min_channels = 24;  // NCCL_MIN_CTAS
  EXPECT_NEAR(fill(1e9, 8), expected(6, 24, 64 * kib), 1e-12);
  p.min_channels = 0;
  p.nvls_chunk_bytes = 512 * kib;
  EXPECT_NEAR(fill(4e9, 8), expected(6, 16, 512 * kib), 1e-12);
}

TEST(NvlsModel, IsOffWithoutChannels) {
  auto p = h100();
  p.nvls_channels = 0;
  for (const Choice& choice : candidates(Kind::all_reduce, 1 * gb, nvls_shape(1, 8), p))
    EXPECT_NE(choice.algorithm, Algorithm::nvls);
}

}  // namespace
}  // namespace gridlock::collectives
