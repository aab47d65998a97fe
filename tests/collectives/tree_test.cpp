#include <gtest/gtest.h>

#include <numeric>

#include "collectives/double_tree.hpp"
#include "collectives/time.hpp"
#include "tests/collectives/test_cluster.hpp"

namespace gridlock::collectives {
namespace {

using test::Machine;

std::vector<int> children(std::size_t nodes, int tree) {
  std::vector<int> count(nodes);
  for (std::size_t k = 0; k < nodes; ++k) {
    if (tree_parent(k, nodes, tree) != k) ++count[tree_parent(k, nodes, tree)];
  }
  return count;
}

// Every node reaches the one root in at most log2(nodes) + 1 steps; no node has more than two children.
TEST(DoubleTree, IsABinaryTree) {
  for (std::size_t nodes = 1; nodes <= 130; ++nodes) {
    for (const int tree : {0, 1}) {
      int roots = 0;
      for (std::size_t k = 0; k < nodes; ++k) {
        roots += tree_parent(k, nodes, tree) == k;
        std::size_t at = k;
        for (std::size_t steps = 0; (std::size_t{1} << steps) <= 2 * nodes; ++steps) at = tree_parent(at, nodes, tree);
        EXPECT_EQ(tree_parent(at, nodes, tree), at) << nodes << " nodes, tree " << tree << ", node " << k;
      }
      EXPECT_EQ(roots, 1);
      for (const int count : children(nodes, tree)) EXPECT_LE(count, 2);
    }
  }
}

// No node is inside both trees when their number is even; one may be when it is odd.
TEST(DoubleTree, NodesAreInsideOneTree) {
  for (std::size_t nodes = 2; nodes <= 130; ++nodes) {
    const auto a = children(nodes, 0), b = children(nodes, 1);
    std::size_t both = 0;
    for (std::size_t k = 0; k < nodes; ++k) both += a[k] > 0 && b[k] > 0;
    EXPECT_LE(both, nodes % 2) << nodes;
  }
}

// Tree 0 over 4 nodes: 1 -> 2, 3 -> 2, 2 -> 0; tree 1 its mirror: 2 -> 1, 0 -> 1, 1 -> 3.
TEST(DoubleTree, FourNodes) {
  const auto parents = [](int tree) {
    std::vector<std::size_t> up;
    for (std::size_t k = 0; k < 4; ++k) up.push_back(tree_parent(k, 4, tree));
    return up;
  };
  EXPECT_EQ(parents(0), (std::vector<std::size_t>{0, 2, 0, 2}));
  EXPECT_EQ(parents(1), (std::vector<std::size_t>{1, 3, 1, 3}));
}

class TreePatternShapes : public testing::TestWithParam<std::tuple<int, int>> {};

// Both trees have N-1 edges, crossed both ways by half of the data: 2 (N-1) out of all NICs together, and the same in. A node has
// at most 4 crossings of 1/(2R) on each of its R NICs (one more edge for the node inside both trees of an odd number).
// Inside a node each rail has m-1 chain edges, both ways: 2 (m-1) out of all members.
TEST_P(TreePatternShapes, MovesWhatItMust) {
  const auto [nodes, per_node] = GetParam();
  const Machine m(nodes);
  const Pattern pattern = tree_pattern(m.fabric, m.router, test::members(nodes, per_node));
  const auto load = test::loads(m.fabric, pattern);
  double out = 0, in = 0;
  for (std::size_t nic = 0; nic < static_cast<std::size_t>(nodes) * 8; ++nic) {
    out += test::nic_out(m, load, nic);
    in += test::nic_in(m, load, nic);
    EXPECT_LE(test::nic_out(m, load, nic), (nodes % 2 == 0 ? 2.0 : 3.0) / per_node + 1e-12);
  }
  EXPECT_NEAR(out, 2 * (nodes - 1), 1e-9);
  EXPECT_NEAR(in, 2 * (nodes - 1), 1e-9);
  for (int node = 0; node < nodes; ++node) {
    double nvlink = 0;
    for (int i = 0; i < 8; ++i) nvlink += test::nvlink_out(m, load, static_cast<topology::GpuId>(node * 8 + i));
    EXPECT_NEAR(nvlink, 2 * (per_node - 1), 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, TreePatternShapes,
                         testing::Combine(testing::Values(1, 2, 3, 4, 7, 8), testing::Values(2, 4, 8)));

// The example of tree.cpp: 1 GB over 2 nodes of one GPU, NICs of 50 GB/s: 1 GB out of each NIC, 20 ms.
TEST(TreePattern, TwoNodesOfOneGpu) {
  const Machine m(2);
  const Pattern pattern = tree_pattern(m.fabric, m.router, test::members(2, 1));
  Choice choice;
  choice.algorithm = Algorithm::tree;
  EXPECT_NEAR(idle_time_s(m.fabric, pattern, choice, Kind::all_reduce, 2, 1e9), 0.020, 1e-12);
}

// 4 nodes of 8: NICs carry 2 S / 8 where a node is inside one tree: 1 GB / 4 / 50 GB/s = 5 ms.
TEST(TreePattern, FourNodesOfEight) {
  const Machine m(4);
  const Pattern pattern = tree_pattern(m.fabric, m.router, test::members(4, 8));
  Choice choice;
  choice.algorithm = Algorithm::tree;
  EXPECT_NEAR(idle_time_s(m.fabric, pattern, choice, Kind::all_reduce, 32, 1e9), 0.005, 1e-9);
}

}  // namespace
}  // namespace gridlock::collectives
