// Fabrics given cable by cable.
#include <gtest/gtest.h>

#include "clusters.hpp"

namespace gridlock::topology {
namespace {

using Edges = std::vector<CustomEdge>;

ClusterSpec custom(int nodes, Edges edges) {
  ClusterSpec spec = cluster(nodes, FabricKind::custom);
  spec.fabric.edges = std::move(edges);
  return spec;
}

TEST(Custom, CapacitiesAndLatencies) {
  LinkParameters p = parameters();
  p.nic_efficiency = 0.9;
  p.switch_efficiency = 0.8;
  const Fabric fabric = build_fabric(
      custom(2, {{"node0.nic0", "s", 10 * gb, 0}, {"s", "t", 20 * gb, 7 * us}, {"t", "node1.nic0", 10 * gb, 3 * us}}), p, {});
  EXPECT_DOUBLE_EQ(link_named(fabric, "node0.nic0->s").bytes_per_s, 9 * gb);
  EXPECT_DOUBLE_EQ(link_named(fabric, "t->s").bytes_per_s, 16 * gb);
  EXPECT_DOUBLE_EQ(link_named(fabric, "s->node0.nic0").latency_s, 100 * us);  // by kind where not given
  EXPECT_DOUBLE_EQ(link_named(fabric, "s->t").latency_s, 7 * us);
  EXPECT_EQ(count(fabric, VertexKind::custom), 2u);
}

// A ring of four switches has a loop; the way is the shortest one.
TEST(Custom, LoopsAreFine) {
  Edges edges;
  for (int i = 0; i < 5; ++i) {
    const std::string n = std::to_string(i);
    edges.push_back({"node" + n + ".nic0", "s" + n, gb});
    edges.push_back({"s" + n, "s" + std::to_string((i + 1) % 5), gb});
  }
  const Fabric fabric = built(custom(5, edges));
  const std::vector<std::string> route = names(fabric, Router(fabric, 1).path(0, 4 * 8));
  EXPECT_EQ(route[3], "s0->s4");
  EXPECT_EQ(route[4], "s4->node4.nic0");
}

TEST(Custom, NicToNic) {
  const Fabric fabric = built(custom(2, {{"node0.nic3", "node1.nic5", gb}}));
  // GPU 0's own NIC has no cable, so it goes by the NIC that has one.
  const std::vector<std::string> route = names(fabric, Router(fabric, 1).path(0, 8));
  EXPECT_EQ(route[3], "node0.pcie3->node0.nic3");
  EXPECT_EQ(route[4], "node0.nic3->node1.nic5");
}

// Dual-homed NICs: two planes between the same NICs; adaptive halves the flow at the NIC.
TEST(Custom, NicWithTwoCables) {
  const Fabric fabric =
      built(custom(2, {{"node0.nic0", "a", gb}, {"node0.nic0", "b", gb}, {"a", "node1.nic0", gb}, {"b", "node1.nic0", gb}}));
  const Path path = Router(fabric, 1).path(0, 8);
  ASSERT_EQ(path.links.size(), 2u + 2 + 2 + 2);
  for (std::size_t i = 2; i < 6; ++i) EXPECT_EQ(path.links[i].share, 0.5);
}

// Rails that never meet: NIC 0 on switch a, NIC 1 on switch b. GPU 0 reaches GPU 9 by PXN over the receiver's NIC.
TEST(Custom, SeparateRailsCrossOverNvlink) {
  const Edges edges{{"node0.nic0", "a", gb}, {"node1.nic0", "a", gb}, {"node0.nic1", "b", gb}, {"node1.nic1", "b", gb}};
  const Fabric fabric = built(custom(2, edges));
  const std::vector<std::string> route = names(fabric, Router(fabric, 1).path(0, 9));
  EXPECT_EQ(route[1], "node0.nvswitch->node0.gpu1");
  EXPECT_EQ(route[4], "node0.nic1->b");
}

TEST(Custom, OneWayCables) {
  const SpecError error = build_error(custom(2, {{"node0.nic0", "s", gb, 0, false}, {"s", "node1.nic0", gb, 0, false}}));
  EXPECT_EQ(error.path, "cluster.fabric.edges");
  EXPECT_TRUE(contains(error.what(), "node1 cannot reach node0"));
}

TEST(CustomErrors, DisconnectedNamesAPair) {
  const SpecError error = build_error(
      custom(4, {{"node0.nic0", "a", gb}, {"node1.nic0", "a", gb}, {"node2.nic0", "b", gb}, {"node3.nic0", "b", gb}}));
  EXPECT_TRUE(contains(error.what(), "node0 cannot reach node2"));
}

// NICs forward nothing: a chain through node 1's two NICs does not join nodes 0 and 2.
TEST(CustomErrors, NodesAreNotSwitches) {
  const SpecError error = build_error(custom(3, {{"node0.nic0", "node1.nic0", gb}, {"node1.nic1", "node2.nic0", gb}}));
  EXPECT_TRUE(contains(error.what(), "node0 cannot reach node2"));
}

TEST(CustomErrors, NodeWithoutCable) {
  const SpecError error = build_error(custom(3, {{"node0.nic0", "node1.nic0", gb}}));
  EXPECT_TRUE(contains(error.what(), "no cable ends at node2"));
}

TEST(CustomErrors, PointAtTheEdge) {
  auto error_at = [](CustomEdge edge) { return build_error(custom(2, {{"node0.nic0", "s", gb}, edge})); };
  EXPECT_EQ(error_at({"s", "s", gb}).path, "cluster.fabric.edges.1.to");
  EXPECT_EQ(error_at({"s", "node1.nic0", 0}).path, "cluster.fabric.edges.1.bandwidth");
  EXPECT_EQ(error_at({"s", "node1.nic0", -gb}).path, "cluster.fabric.edges.1.bandwidth");
  EXPECT_EQ(error_at({"s", "node1.nic0", gb, -us}).path, "cluster.fabric.edges.1.latency");
  EXPECT_EQ(error_at({"node2.nic0", "s", gb}).path, "cluster.fabric.edges.1.from");
  EXPECT_TRUE(contains(error_at({"node2.nic0", "s", gb}).what(), "the last is node1"));
  EXPECT_TRUE(contains(error_at({"s", "node1.nic8", gb}).what(), "the last NIC of a node is nic7"));
  EXPECT_TRUE(contains(error_at({"s", "node1", gb}).help, "write node1.nic0"));
  EXPECT_TRUE(contains(error_at({"s", "node1.gpu0", gb}).help, "write node1.nic0"));
  EXPECT_TRUE(contains(error_at({"s", "node1.nicX", gb}).help, "write node1.nic0"));
  EXPECT_TRUE(contains(error_at({"s", "", gb}).what(), "cannot be the name of a switch"));
  EXPECT_TRUE(contains(error_at({"s", "a->b", gb}).what(), "cannot be the name of a switch"));
  EXPECT_EQ(build_error(custom(2, {})).path, "cluster.fabric.edges");
}

}  // namespace
}  // namespace gridlock::topology
