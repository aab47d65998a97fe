// Nodes whose NVLinks join pairs: DGX-1 with V100 and bridged PCIe cards.
#include <gtest/gtest.h>

#include <algorithm>

#include "collectives/mesh_order.hpp"
#include "collectives/time.hpp"
#include "collectives/tuning.hpp"
#include "tests/collectives/test_cluster.hpp"

namespace gridlock::collectives {
namespace {

using test::Machine;
using topology::GpuId;

constexpr double link_capacity = 25e9;

topology::ClusterSpec mesh(int gpus, std::vector<topology::NvlinkPair> pairs, int nodes = 1) {
  topology::ClusterSpec spec = test::cluster(nodes, topology::RoutingKind::adaptive, gpus / 2);
  spec.node.kind = topology::NodeKind::mesh;
  spec.node.gpus = gpus;
  spec.node.nvlink_bytes_per_s = link_capacity;
  spec.node.nvlink_pairs = std::move(pairs);
  return spec;
}

topology::ClusterSpec dgx1(int nodes = 1) {
  return mesh(8,
              {{0, 1, 1},
               {0, 2, 1},
               {0, 3, 2},
               {0, 4, 2},
               {1, 2, 2},
               {1, 3, 1},
               {1, 5, 2},
               {2, 3, 2},
               {2, 6, 1},
               {3, 7, 1},
               {4, 5, 1},
               {4, 6, 1},
               {4, 7, 2},
               {5, 6, 2},
               {5, 7, 1},
               {6, 7, 2}},
              nodes);
}

topology::ClusterSpec bridged() { return mesh(4, {{0, 1, 4}, {2, 3, 4}}); }

// Three tours, six rings: every GPU's six links carry a sixth of the bytes each way. All-reduce of 8 GB over 8: 14 GB over each
// ring edge, 14 / 6 GB over each link of 25 GB/s: 93.3 ms, a bus bandwidth of 150 GB/s.
TEST(Mesh, Dgx1HasSixRings) {
  const Machine m(dgx1());
  const auto gpus = test::members(1, 8);
  EXPECT_EQ(nvlink_tours(m.fabric, gpus).size(), 3u);
  const Pattern ring = ring_pattern(m.fabric, m.router, gpus);
  const std::vector<double> load = test::loads(m.fabric, ring);
  for (topology::LinkId id = 0; id < m.fabric.link_count(); ++id) {
    const bool nvlink = m.fabric.link(id).kind == topology::LinkKind::nvlink;
    EXPECT_NEAR(load[id], nvlink ? m.fabric.link(id).cables / 6.0 : 0, 1e-12) << m.fabric.link_name(id);
  }
  Choice choice;
  EXPECT_NEAR(idle_time_s(m.fabric, ring, choice, Kind::all_reduce, 8, 8e9), 14e9 / 6 / link_capacity, 1e-12);
}

TEST(Mesh, TreesRunAlongTheTours) {
  const Machine m(dgx1());
  const std::vector<double> load = test::loads(m.fabric, tree_pattern(m.fabric, m.router, test::members(1, 8)));
  for (topology::LinkId id = 0; id < m.fabric.link_count(); ++id)
    EXPECT_TRUE(load[id] == 0 || m.fabric.link(id).kind == topology::LinkKind::nvlink) << m.fabric.link_name(id);
}

// GPU 0 has no cable to GPU 5: both GPU 1 and GPU 4 join them with one link at the narrowest, the lower one is taken.
TEST(Mesh, PairsWithoutACableMeetThroughOneGpu) {
  const Machine m(dgx1());
  const topology::Path path = m.router.path(0, 5);
  ASSERT_EQ(path.links.size(), 2u);
  EXPECT_EQ(m.fabric.link_name(path.links[0].link), "node0.gpu0->node0.gpu1");
  EXPECT_EQ(m.fabric.link_name(path.links[1].link), "node0.gpu1->node0.gpu5");
  EXPECT_EQ(m.router.path(0, 3).links.size(), 1u);
}

TEST(Mesh, WhoMeetsOverNvlink) {
  const Machine v100(dgx1()), cards(bridged());
  EXPECT_TRUE(meet_over_nvlink(v100.fabric, test::members(1, 8)));
  EXPECT_TRUE(meet_over_nvlink(v100.fabric, test::members(1, 4)));
  EXPECT_TRUE(meet_over_nvlink(v100.fabric, std::vector<GpuId>{0, 5}));
  EXPECT_TRUE(meet_over_nvlink(cards.fabric, std::vector<GpuId>{2, 3}));
  EXPECT_FALSE(meet_over_nvlink(cards.fabric, std::vector<GpuId>{1, 2}));
  EXPECT_FALSE(meet_over_nvlink(cards.fabric, test::members(1, 4)));
  EXPECT_TRUE(communicator_shape(cards.fabric, cards.router, std::vector<GpuId>{0, 1}).nvlink);
  EXPECT_FALSE(communicator_shape(cards.fabric, cards.router, test::members(1, 4)).nvlink);
}

// Four bridged cards: NVLink, PCIe, NVLink, PCIe. Two of them: NVLink alone, all four links as one trunk of 100 GB/s.
TEST(Mesh, BridgedPairs) {
  const Machine m(bridged());
  const std::vector<GpuId> two{0, 1};
  EXPECT_EQ(ring_pattern(m.fabric, m.router, two).bundles.front().links.size(), 2u);
  Choice choice;
  EXPECT_NEAR(idle_time_s(m.fabric, ring_pattern(m.fabric, m.router, two), choice, Kind::all_reduce, 2, 1e9), 0.010, 1e-12);
  const std::vector<double> load = test::loads(m.fabric, ring_pattern(m.fabric, m.router, test::members(1, 4)));
  EXPECT_NEAR(test::load_at(m.fabric, load, m.fabric.gpu_vertex(0), topology::LinkKind::nvlink, false), 1, 1e-12);
  EXPECT_NEAR(test::load_at(m.fabric, load, m.fabric.gpu_vertex(1), topology::LinkKind::pcie, false), 1, 1e-12);
}

// Two DGX-1: each channel runs from the GPU beside one NIC over NVLinks to the GPU beside the next one.
TEST(Mesh, RingsOfSeveralNodesFollowTheNvlinks) {
  const Machine m(dgx1(2));
  const auto gpus = test::members(2, 8);
  const std::vector<double> load = test::loads(m.fabric, ring_pattern(m.fabric, m.router, gpus));
  for (std::size_t nic = 0; nic < 8; ++nic) EXPECT_NEAR(test::nic_out(m, load, nic), 0.25, 1e-12);
  for (GpuId g = 0; g < 16; ++g) EXPECT_GT(test::nvlink_out(m, load, g), 0);
}

TEST(Mesh, ChainsWithoutAWayPreferCables) {
  const Machine m(bridged());
  EXPECT_EQ(nvlink_chain(m.fabric, test::members(1, 4), 1, 1), (std::vector<GpuId>{1, 0, 2, 3}));
  EXPECT_EQ(nvlink_chain(m.fabric, test::members(1, 4), 0, 3), (std::vector<GpuId>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace gridlock::collectives
