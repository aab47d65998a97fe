#include "topology/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "clusters.hpp"

namespace gridlock::topology {
namespace {

ClusterSpec placed(PlacementKind kind, int nodes = 4) {
  ClusterSpec spec = cluster(nodes, FabricKind::rail_fat_tree);
  spec.placement.kind = kind;
  return spec;
}

TEST(Placement, Packed) {
  const std::vector<GpuId> gpus = place(placed(PlacementKind::packed), 20, 1);
  ASSERT_EQ(gpus.size(), 20u);
  for (GpuId rank = 0; rank < 20; ++rank) EXPECT_EQ(gpus[rank], rank);
}

// Node by node in the listed order: ranks 0-7 on node 3, 8-15 on node 1, 16-19 on node 0.
TEST(Placement, Listed) {
  ClusterSpec spec = placed(PlacementKind::listed);
  spec.placement.nodes = {3, 1, 0};
  const std::vector<GpuId> gpus = place(spec, 20, 1);
  EXPECT_EQ(gpus[0], 24u);
  EXPECT_EQ(gpus[9], 9u);
  EXPECT_EQ(gpus[19], 3u);
}

// Whole nodes move, and the ranks of a node stay in order.
TEST(Placement, Scattered) {
  const ClusterSpec spec = placed(PlacementKind::scattered, 64);
  const std::vector<GpuId> gpus = place(spec, 512, 7);
  std::set<GpuId> used(gpus.begin(), gpus.end());
  EXPECT_EQ(used.size(), 512u);
  for (std::size_t rank = 0; rank < 512; ++rank) EXPECT_EQ(gpus[rank], gpus[rank / 8 * 8] + rank % 8);
  EXPECT_EQ(gpus, place(spec, 512, 7));
  EXPECT_NE(gpus, place(spec, 512, 8));
  EXPECT_FALSE(std::is_sorted(gpus.begin(), gpus.end()));
  // Fewer ranks scatter over the whole cluster, not over its first nodes.
  const std::vector<GpuId> few = place(spec, 16, 7);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), gpus.begin()));
}

// The standard fixes mt19937_64 bit by bit, so the permutation of a seed is the same on every machine.
TEST(Placement, ScatteredIsTheSameEverywhere) {
  std::vector<GpuId> nodes;
  for (GpuId gpu : place(placed(PlacementKind::scattered, 8), 64, 7)) {
    if (gpu % 8 == 0) nodes.push_back(gpu / 8);
  }
  EXPECT_EQ(nodes, (std::vector<GpuId>{2, 3, 5, 6, 1, 0, 4, 7}));
}

TEST(PlacementErrors, NameTheKey) {
  ClusterSpec spec = placed(PlacementKind::packed);
  const SpecError full = error_of([&] { place(spec, 33, 1); });
  EXPECT_EQ(full.path, "cluster.nodes");
  EXPECT_TRUE(contains(full.help, "nodes: 5"));
  spec.placement.kind = PlacementKind::listed;
  for (const auto& nodes : {std::vector<int>{0}, {0, 0}, {0, 4}, {0, -1}}) {
    spec.placement.nodes = nodes;
    EXPECT_EQ(error_of([&] { place(spec, 16, 1); }).path, "cluster.placement");
  }
}

}  // namespace
}  // namespace gridlock::topology
