// What the builders make: devices, links, capacities, names.
#include "topology/fabric.hpp"

#include <gtest/gtest.h>

#include "clusters.hpp"

namespace gridlock::topology {
namespace {

// 8 GPUs, 8 NICs, 8 PCIe switches (one a NIC), 2 sockets, 1 NVSwitch plane. Both directions of: 8 NVLinks, 8 GPU and 8 NIC PCIe
// links, 8 switch-socket links, 1 socket link.
TEST(Fabric, NvswitchNode) {
  const Fabric fabric = built(cluster(1, FabricKind::none));
  EXPECT_EQ(num_vertices(fabric.graph), 8u + 8 + 8 + 2 + 1);
  EXPECT_EQ(count(fabric, LinkKind::nvlink), 16u);
  EXPECT_EQ(count(fabric, LinkKind::pcie), 2u * (8 + 8 + 8));
  EXPECT_EQ(count(fabric, LinkKind::socket), 2u);
  EXPECT_EQ(fabric.link_count(), fabric.links_per_node);
  EXPECT_EQ(link_named(fabric, "node0.gpu3->node0.nvswitch").bytes_per_s, 400 * gb);
  EXPECT_EQ(link_named(fabric, "node0.pcie3->node0.gpu3").bytes_per_s, 60 * gb);
  EXPECT_EQ(link_named(fabric, "node0.socket0->node0.socket1").bytes_per_s, 40 * gb);
}

// One NIC for four GPUs: 2 PCIe switches, GPUs 0-3 and NIC 0 on the first, GPUs 4-7 and NIC 1 on the second.
TEST(Fabric, PcieNodeWithFewNics) {
  ClusterSpec spec = cluster(1, FabricKind::none);
  spec.node = pcie_box();
  spec.node.nics = 2;
  const Fabric fabric = built(spec);
  EXPECT_EQ(count(fabric, VertexKind::pcie_switch), 2u);
  EXPECT_EQ(count(fabric, VertexKind::nvswitch), 0u);
  for (const char* name : {"node0.gpu0->node0.pcie0", "node0.gpu3->node0.pcie0", "node0.gpu4->node0.pcie1",
                           "node0.nic1->node0.pcie1", "node0.pcie1->node0.socket1"}) {
    EXPECT_EQ(link_named(fabric, name).kind, LinkKind::pcie) << name;
  }
}

TEST(Fabric, NodesAreAlike) {
  const Fabric fabric = built(cluster(3, FabricKind::rail_fat_tree));
  for (LinkId id = 0; id < fabric.links_per_node; ++id) {
    const std::string name = fabric.link_name(id);
    std::string expected = name;
    for (std::size_t at = 0; (at = expected.find("node0", at)) != std::string::npos;) expected.replace(at, 5, "node2");
    EXPECT_EQ(fabric.link_name(id + 2 * fabric.links_per_node), expected);
  }
  EXPECT_EQ(fabric.vertex_name(fabric.gpu_vertex(17)), "node2.gpu1");
}

// 64 nodes, units of 32: 16 leaves of 32 cables up, 16 x 32 / 64 = 8 spines behind one vertex.
TEST(Fabric, AdaptiveCollapsesSpinesIntoTrunks) {
  LinkParameters p = parameters();
  p.nic_efficiency = 0.9;
  p.switch_efficiency = 0.8;
  p.adaptive_efficiency = 0.5;
  const Fabric fabric = build_fabric(cluster(64, FabricKind::rail_fat_tree), p, {});
  EXPECT_EQ(count(fabric, VertexKind::leaf), 16u);
  EXPECT_EQ(count(fabric, VertexKind::spine), 1u);
  EXPECT_EQ(count(fabric, LinkKind::uplink), 2u * 16);
  const Link& trunk = link_named(fabric, "leaf9->spines");
  EXPECT_EQ(trunk.cables, 32u);
  EXPECT_DOUBLE_EQ(trunk.bytes_per_s, 32 * 50 * gb * 0.8 * 0.5);
  EXPECT_DOUBLE_EQ(link_named(fabric, "node40.nic1->leaf9").bytes_per_s, 50 * gb * 0.9);
  EXPECT_EQ(fabric.cable_directions(), 64u * fabric.links_per_node + 2 * 64 * 8 + 2 * 16 * 32);
  for (VertexId v = 0; v < num_vertices(fabric.graph); ++v) {
    const Vertex& vertex = fabric.graph[v];
    EXPECT_EQ(vertex.members, vertex.kind == VertexKind::spine ? 8u : 1u);
    EXPECT_EQ(vertex.rail, vertex.kind == VertexKind::leaf  ? vertex.index % 8
                           : vertex.kind == VertexKind::nic ? vertex.index
                                                            : -1);
  }
}

// The same fabric cable by cable: 8 spines, each leaf has 32 / 8 = 4 cables to each.
TEST(Fabric, EcmpKeepsEveryCable) {
  const Fabric fabric = built(cluster(64, FabricKind::rail_fat_tree, RoutingKind::ecmp));
  EXPECT_EQ(count(fabric, VertexKind::spine), 8u);
  EXPECT_EQ(count(fabric, LinkKind::uplink), 2u * 16 * 32);
  EXPECT_EQ(link_named(fabric, "leaf9->spine7#3").bytes_per_s, 50 * gb);
  EXPECT_EQ(link_named(fabric, "spine7->leaf9#0").cables, 1u);
}

// 3 tiers, 512 nodes: see TreePlan.Flagship. Pod trunks: 32 spines x 32 up = 1024 cables.
TEST(Fabric, ThreeTiersCollapsePodByPod) {
  ClusterSpec spec = cluster(512, FabricKind::rail_fat_tree);
  spec.fabric.tiers = 3;
  const Fabric fabric = built(spec);
  EXPECT_EQ(count(fabric, VertexKind::spine), 4u);
  EXPECT_EQ(count(fabric, VertexKind::core), 1u);
  EXPECT_EQ(link_named(fabric, "pod2.spines->cores").cables, 1024u);
  EXPECT_EQ(link_named(fabric, "leaf64->pod2.spines").cables, 32u);  // leaf 64 is the first of pod 2

  spec.fabric.routing = RoutingKind::fixed;
  const Fabric full = built(spec);
  EXPECT_EQ(count(full, VertexKind::spine), 128u);
  EXPECT_EQ(count(full, VertexKind::core), 64u);
  EXPECT_EQ(count(full, LinkKind::core), 2u * 128 * 32);
}

TEST(Fabric, RailOnlyHasSpinesOfItsRail) {
  const Fabric fabric = built(cluster(64, FabricKind::rail_only));
  EXPECT_EQ(count(fabric, VertexKind::spine), 8u);
  EXPECT_EQ(link_named(fabric, "leaf11->rail3.spines").cables, 32u);  // unit 1, rail 3
}

TEST(Fabric, FabricNicOverridesTheNodes) {
  ClusterSpec spec = cluster(2, FabricKind::rail_fat_tree);
  spec.fabric.nic_bytes_per_s = 25 * gb;
  EXPECT_EQ(link_named(built(spec), "node1.nic0->leaf0").bytes_per_s, 25 * gb);
}

// The largest cluster of the benchmarks, cable by cable: 16,384 nodes in 512 units, 4,096 leaves x 32 up. Spines of 128 ports,
// 64 down: pods of 64 leaves, 64 x 32 / 64 = 32 spines each, 64 pods, 2,048 spines x 64 up = 131,072 cables.
TEST(Fabric, Builds131072Gpus) {
  ClusterSpec spec = cluster(16384, FabricKind::rail_fat_tree, RoutingKind::ecmp);
  spec.fabric.tiers = 3;
  spec.fabric.spine_radix = 128;
  const Fabric fabric = built(spec);
  EXPECT_EQ(fabric.gpu_count(), 131072u);
  EXPECT_EQ(fabric.plan.total_spines(), 2048);
  EXPECT_EQ(fabric.plan.total_cores(), 1024);
  EXPECT_EQ(fabric.link_count(), 16384u * fabric.links_per_node + 2 * (131072 + 131072 + 131072));
  EXPECT_EQ(Router(fabric, 1).path(0, 131071).links.size(), 2u + 2 + 1 + 2 + 2 + 1 + 2);
}

TEST(Fabric, CopiesAndMovesKeepTheirLinks) {
  Fabric fabric = built(cluster(2, FabricKind::rail_fat_tree));
  const std::string name = fabric.link_name(5);
  const Fabric copy = fabric;
  const Fabric moved = std::move(fabric);
  EXPECT_EQ(copy.link_name(5), name);
  EXPECT_EQ(moved.link_name(5), name);
  EXPECT_EQ(moved.link(5).id, 5u);
}

TEST(FabricErrors, NameTheKey) {
  auto path_of = [](auto change) {
    ClusterSpec spec = cluster(2, FabricKind::rail_fat_tree);
    change(spec);
    return build_error(spec).path;
  };
  EXPECT_EQ(path_of([](ClusterSpec& s) { s.nodes = 0; }), "cluster.nodes");
  EXPECT_EQ(path_of([](ClusterSpec& s) { s.nodes = 1'000'000'000; }), "cluster.nodes");
  EXPECT_EQ(path_of([](ClusterSpec& s) { s.node.gpus = 0; }), "cluster.node.gpus");
  EXPECT_EQ(path_of([](ClusterSpec& s) { s.node.nics = 0; }), "cluster.node.nics");
  EXPECT_EQ(path_of([](ClusterSpec& s) { s.node.nics = -1; }), "cluster.node.nics");
  EXPECT_EQ(path_of([](ClusterSpec& s) { s.node.sockets = 0; }), "cluster.node.sockets");
  EXPECT_EQ(path_of([](ClusterSpec& s) { s.node.nvlink_bytes_per_s = 0; }), "cluster.node.nvlink");
  EXPECT_EQ(path_of([](ClusterSpec& s) { s.node.pcie_bytes_per_s = 0; }), "cluster.node.pcie");
  EXPECT_EQ(path_of([](ClusterSpec& s) { s.node.nic_bytes_per_s = 0; }), "cluster.fabric.nic");
  EXPECT_EQ(path_of([](ClusterSpec& s) {
              s.node = pcie_box();
              s.node.socket_bytes_per_s = 0;
            }),
            "cluster.node.socket_link");
}

}  // namespace
}  // namespace gridlock::topology
