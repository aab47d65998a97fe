#include <gtest/gtest.h>

#include "collectives/time.hpp"
#include "tests/collectives/test_cluster.hpp"
#include "tests/collectives/units.hpp"

namespace gridlock::collectives {
namespace {

using test::Machine;

TuningParameters with_pat() {
  TuningParameters p;
  p.inter_channels = 1;
  p.inter_channel_bytes_per_s = 48 * gb;
  p.pat = true;
  return p;
}

CommunicatorShape one_rank_a_node(int nodes) {
  CommunicatorShape s;
  s.ranks = s.nodes = nodes;
  s.ranks_per_node = 1;
  return s;
}

// Every rank sends and receives all of its wire bytes over its NIC, whatever the number of ranks.
TEST(PatPattern, FillsEveryNicOnce) {
  for (const int nodes : {2, 3, 5, 8, 13}) {
    const Machine m(nodes);
    const auto load = test::loads(m.fabric, pat_pattern(m.fabric, m.router, test::members(nodes, 1)));
    for (std::size_t node = 0; node < static_cast<std::size_t>(nodes); ++node) {
      EXPECT_NEAR(test::nic_out(m, load, node * 8), 1, 1e-12) << nodes;
      EXPECT_NEAR(test::nic_in(m, load, node * 8), 1, 1e-12) << nodes;
    }
  }
}

// 8 nodes in two scalable units of 4 behind one leaf a rail each. Sent out of a unit: distance 1 by its last node, 2 by the last
// two, 4 by all: (4/7) * 1 + (2/7) * 2 + (1/7) * 4 = 12/7 on the leaf's uplinks; a ring would send 1.
TEST(PatPattern, SendsFarPartsFar) {
  auto spec = test::cluster(8);
  spec.fabric.scalable_unit = 4;
  const Machine m(spec);
  const auto uplinks = [&](const Pattern& pattern) {
    const auto load = test::loads(m.fabric, pattern);
    double sum = 0;
    for (topology::LinkId id = 0; id < load.size(); ++id) {
      const auto& from = m.fabric.graph[m.fabric.source(id)];
      if (m.fabric.link(id).kind == topology::LinkKind::uplink && from.kind == topology::VertexKind::leaf) sum += load[id];
    }
    return sum;
  };
  EXPECT_NEAR(uplinks(pat_pattern(m.fabric, m.router, test::members(8, 1))), 2 * 12.0 / 7, 1e-12);
  EXPECT_NEAR(uplinks(ring_pattern(m.fabric, m.router, test::members(8, 1))), 2, 1e-12);
}

TEST(PatPattern, NeedsOneMemberANode) {
  const Machine m(2);
  EXPECT_THROW(pat_pattern(m.fabric, m.router, test::members(2, 2)), std::logic_error);
}

// The example of pat_model.cpp: 8 + 6 * 14 / 3.5 + 2.8 * 64 us; 36 GB/s of algorithm bandwidth.
TEST(PatModel, LatencyAndBandwidth) {
  const auto choice =
      candidates(Kind::all_gather, 1 * gb, one_rank_a_node(64), with_pat(), {.algorithm = Algorithm::pat}).front();
  EXPECT_NEAR(choice.latency_s - choice.fill_s, 211.2 * us, 1e-12);
  EXPECT_NEAR(choice.predicted_s, 211.2 * us + 1.0 / 36, 1e-12);
}

TEST(PatModel, IsForAllGatherAndReduceScatterOfOneRankANode) {
  const auto offered = [](Kind kind, const CommunicatorShape& shape, const TuningParameters& p) {
    for (const Choice& choice : candidates(kind, 1e6, shape, p)) {
      if (choice.algorithm == Algorithm::pat) return true;
    }
    return false;
  };
  EXPECT_TRUE(offered(Kind::all_gather, one_rank_a_node(64), with_pat()));
  EXPECT_TRUE(offered(Kind::reduce_scatter, one_rank_a_node(64), with_pat()));
  EXPECT_FALSE(offered(Kind::all_reduce, one_rank_a_node(64), with_pat()));
  auto two = one_rank_a_node(64);
  two.ranks = 128;
  two.ranks_per_node = 2;
  EXPECT_FALSE(offered(Kind::all_gather, two, with_pat()));
  auto off = with_pat();
  off.pat = false;
  EXPECT_FALSE(offered(Kind::all_gather, one_rank_a_node(64), off));
}

}  // namespace
}  // namespace gridlock::collectives
