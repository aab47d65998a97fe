// Counts of switches and cables worked out by hand.
#include "topology/tree_plan.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "clusters.hpp"

namespace gridlock::topology {
namespace {

ClusterSpec flagship() {
  ClusterSpec spec = cluster(512, FabricKind::rail_fat_tree);
  spec.fabric.tiers = 3;
  spec.fabric.scalable_unit = 32;
  return spec;
}

// 512 / 32 = 16 units x 8 rails = 128 leaves with 32 down, 32 up. Pods of 32 leaves (4 units x 8): 4 pods.
// Spines: 32 leaves x 32 up / 32 down = 32 a pod. Cores: 4 pods x 32 spines x 32 up / 64 ports = 64, i.e. 2 for each of 32
// groups.
TEST(TreePlan, Flagship) {
  const TreePlan plan = plan_tree(flagship(), rail_fat_tree_layout(hgx()));
  EXPECT_EQ(plan.units, 16);
  EXPECT_EQ(plan.leaves(), 128);
  EXPECT_EQ(plan.leaf_up, 32);
  EXPECT_EQ(plan.pods, 4);
  EXPECT_EQ(plan.pod_leaves, 32);
  EXPECT_EQ(plan.spines, 32);
  EXPECT_EQ(plan.total_spines(), 128);
  EXPECT_EQ(plan.spine_up, 32);
  EXPECT_EQ(plan.cores, 2);
  EXPECT_EQ(plan.total_cores(), 64);
}

// With spines of 128 ports two tiers do: 128 leaves x 32 up / 128 = 32 spines.
TEST(TreePlan, FlagshipInTwoTiers) {
  ClusterSpec spec = flagship();
  spec.fabric.tiers = 2;
  spec.fabric.spine_radix = 128;
  const TreePlan plan = plan_tree(spec, rail_fat_tree_layout(hgx()));
  EXPECT_EQ(plan.total_spines(), 32);
  EXPECT_EQ(plan.total_cores(), 0);
}

// Rail-only: each of 8 rails is a tree of 16 leaves: 16 x 32 / 64 = 8 spines a rail, 64 in all, in two tiers.
TEST(TreePlan, RailOnly) {
  ClusterSpec spec = flagship();
  spec.fabric.tiers = 2;
  const TreePlan plan = plan_tree(spec, rail_only_layout(hgx()));
  EXPECT_EQ(plan.leaves(), 128);
  EXPECT_EQ(plan.plane_leaves(), 16);
  EXPECT_EQ(plan.spines, 8);
  EXPECT_EQ(plan.total_spines(), 64);
}

// Fat tree: 8 ports a node, 32 down: 4 nodes a leaf, 64 nodes on 16 leaves; 16 x 32 / 64 = 8 spines.
TEST(TreePlan, FatTree) {
  const TreePlan plan = plan_tree(cluster(64, FabricKind::fat_tree), fat_tree_layout(hgx()));
  EXPECT_EQ(plan.unit_nodes, 4);
  EXPECT_EQ(plan.leaves(), 16);
  EXPECT_EQ(plan.leaf_up, 32);
  EXPECT_EQ(plan.spines, 8);
}

// 4:1 on 64 ports: at most floor(64 x 4 / 5) = 51 down. A unit of 32 nodes uses 32 and needs 32 / 4 = 8 up:
// the ratio is what the user wrote, ports beyond that stay empty.
TEST(TreePlan, OversubscribedLeaves) {
  ClusterSpec spec = flagship();
  spec.fabric.leaf_oversubscription = 4;
  const TreePlan plan = plan_tree(spec, rail_fat_tree_layout(hgx()));
  EXPECT_EQ(plan.leaf_up, 8);
  EXPECT_EQ(plan.spines, 8);  // 32 leaves x 8 up / 32 down
  spec.fabric.scalable_unit = 0;
  const TreePlan filled = plan_tree(spec, rail_fat_tree_layout(hgx()));
  EXPECT_EQ(filled.unit_nodes, 51);
  EXPECT_EQ(filled.leaf_up, 13);  // ceil(51 / 4)
}

// 2:1 at the spines: floor(64 x 2 / 3) = 42 down, 5 whole units of 8 leaves = 40 leaves a pod: ceil(128 / 40) = 4 pods.
// Spines: ceil(40 x 32 / 42) = 31, of which the busiest takes ceil(1280 / 31) = 42 cables, so 21 go up.
TEST(TreePlan, OversubscribedSpines) {
  ClusterSpec spec = flagship();
  spec.fabric.spine_oversubscription = 2;
  const TreePlan plan = plan_tree(spec, rail_fat_tree_layout(hgx()));
  EXPECT_EQ(plan.pod_leaves, 40);
  EXPECT_EQ(plan.pods, 4);
  EXPECT_EQ(plan.spines, 31);
  EXPECT_EQ(plan.spine_up, 21);
  EXPECT_EQ(plan.cores, 2);  // ceil(4 x 21 / 64)
}

TEST(TreePlan, OneLeafNeedsNothingAbove) {
  const TreePlan plan = plan_tree(cluster(4, FabricKind::fat_tree), fat_tree_layout(hgx()));
  EXPECT_EQ(plan.leaves(), 1);
  EXPECT_EQ(plan.leaf_up, 0);
  EXPECT_EQ(plan.total_spines(), 0);
}

TEST(TreePlan, ScalableUnitDefaultsToTheNodesThatFit) {
  EXPECT_EQ(plan_tree(cluster(10, FabricKind::rail_fat_tree), rail_fat_tree_layout(hgx())).unit_nodes, 10);
  EXPECT_EQ(plan_tree(cluster(100, FabricKind::rail_fat_tree), rail_fat_tree_layout(hgx())).unit_nodes, 32);
}

// However the numbers divide: no switch has more cables than ports, and each leaf reaches every spine of its pod,
// each spine every core of its group.
TEST(TreePlan, CablesNeverExceedPorts) {
  for (int nodes : {33, 100, 129, 300, 512}) {
    for (double leaf : {1.0, 1.5, 4.0, 0.5}) {
      for (double spine : {1.0, 3.0}) {
        ClusterSpec spec = cluster(nodes, FabricKind::rail_fat_tree);
        spec.fabric.tiers = 3;
        spec.fabric.leaf_oversubscription = leaf;
        spec.fabric.spine_oversubscription = spine;
        const TreePlan plan = plan_tree(spec, rail_fat_tree_layout(hgx()));
        EXPECT_LE(plan.unit_nodes + plan.leaf_up, 64);
        std::map<int, int> spine_ports, core_ports;
        for (int i = 0; i < plan.leaves(); ++i) {
          std::set<int> reached;
          for (int c = 0; c < plan.leaf_up; ++c) {
            ++spine_ports[plan.spine_of_cable(i, c)];
            reached.insert(plan.spine_of_cable(i, c));
          }
          EXPECT_EQ(static_cast<int>(reached.size()), plan.spines);
        }
        for (int s = 0; s < plan.total_spines(); ++s) {
          std::set<int> reached;
          for (int c = 0; c < plan.spine_up; ++c) {
            ++core_ports[plan.core_of_cable(s, c)];
            reached.insert(plan.core_of_cable(s, c));
          }
          EXPECT_EQ(static_cast<int>(reached.size()), plan.cores);
        }
        for (const auto& [s, ports] : spine_ports) EXPECT_LE(ports + plan.spine_up, 64);
        for (const auto& [c, ports] : core_ports) EXPECT_LE(ports, 64);
        EXPECT_EQ(static_cast<int>(core_ports.size()), plan.total_cores());
      }
    }
  }
}

TEST(TreePlanErrors, TooManyLeavesForTheSpines) {
  ClusterSpec spec = flagship();
  spec.fabric.tiers = 2;
  const SpecError error = build_error(spec);
  EXPECT_EQ(error.path, "cluster.fabric.spine_radix");
  EXPECT_TRUE(contains(error.what(), "256 of 512 nodes fit"));  // 64 leaves = 8 units of 32 nodes
  EXPECT_TRUE(contains(error.help, "tiers: 3"));
  EXPECT_TRUE(contains(error.help, "spine_radix: 128"));
}

TEST(TreePlanErrors, TooManyPodsForTheCores) {
  ClusterSpec spec = flagship();
  spec.nodes = 16384;  // 4,096 leaves in 128 pods of 32
  const SpecError error = build_error(spec);
  EXPECT_EQ(error.path, "cluster.fabric.spine_radix");
  EXPECT_TRUE(contains(error.what(), "8192 of 16384 nodes fit"));
  EXPECT_TRUE(contains(error.help, "core_radix: 128"));
}

TEST(TreePlanErrors, UnitLargerThanTheLeaf) {
  ClusterSpec spec = flagship();
  spec.fabric.scalable_unit = 33;
  const SpecError error = build_error(spec);
  EXPECT_EQ(error.path, "cluster.fabric.scalable_unit");
  EXPECT_TRUE(contains(error.help, "scalable_unit: 32"));
}

TEST(TreePlanErrors, NodeLargerThanTheLeaf) {
  ClusterSpec spec = cluster(2, FabricKind::fat_tree);
  spec.fabric.leaf_radix = 14;  // 7 ports down
  const SpecError error = build_error(spec);
  EXPECT_EQ(error.path, "cluster.fabric.leaf_radix");
  EXPECT_TRUE(contains(error.help, "rail_fat_tree"));
}

TEST(TreePlanErrors, TiersAndRadix) {
  ClusterSpec spec = flagship();
  spec.fabric.tiers = 4;
  EXPECT_EQ(build_error(spec).path, "cluster.fabric.tiers");
  spec = flagship();
  spec.fabric.spine_radix = 1;
  EXPECT_EQ(build_error(spec).path, "cluster.fabric.spine_radix");
}

}  // namespace
}  // namespace gridlock::topology
