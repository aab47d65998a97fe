// Several NICs a GPU, several GPUs a NIC, and connections of several queue pairs.
#include <algorithm>
#include <set>

#include "tests/topology/clusters.hpp"

namespace gridlock::topology {
namespace {

ClusterSpec with_nics(int nics, FabricKind kind = FabricKind::rail_fat_tree) {
  ClusterSpec spec = cluster(2, kind);
  spec.node.nics = nics;
  return spec;
}

double share_on(const Fabric& fabric, const Path& path, const std::string& name) {
  double sum = 0;
  for (const LinkShare& part : path.links)
    if (fabric.link_name(part.link) == name) sum += part.share;
  return sum;
}

TEST(SeveralNics, EachIsBesideAGpu) {
  const Fabric sixteen = built(with_nics(16)), four = built(with_nics(4));
  const Router two_each(sixteen, 1), shared(four, 1);
  EXPECT_EQ(two_each.nics_of(0), (std::vector<int>{0, 1}));
  EXPECT_EQ(two_each.nics_of(15), (std::vector<int>{14, 15}));
  EXPECT_EQ(shared.nics_of(2), (std::vector<int>{1}));
  EXPECT_EQ(shared.nics_of(3), (std::vector<int>{1}));
}

// GPU 8 has NICs 0 and 1 of its node: GPU 0 sends half over each rail, and the whole over what they have in common.
TEST(SeveralNics, AMessageIsSpreadOverThem) {
  for (const FabricKind kind : {FabricKind::rail_fat_tree, FabricKind::fat_tree}) {
    const Fabric fabric = built(with_nics(16, kind));
    const Path path = Router(fabric, 1).path(0, 8);
    EXPECT_DOUBLE_EQ(share_on(fabric, path, "node0.gpu0->node0.pcie0"), 1);
    EXPECT_DOUBLE_EQ(share_on(fabric, path, "node0.pcie0->node0.nic0"), 0.5);
    EXPECT_DOUBLE_EQ(share_on(fabric, path, "node0.pcie0->node0.nic1"), 0.5);
    EXPECT_DOUBLE_EQ(share_on(fabric, path, "node1.nic1->node1.pcie0"), 0.5);
    std::set<LinkId> seen;
    for (const LinkShare& part : path.links) EXPECT_TRUE(seen.insert(part.link).second) << fabric.link_name(part.link);
  }
}

// One queue pair takes one uplink. Eight are hashed one by one, an eighth of the bytes each: more than one uplink, all of them
// together the whole.
TEST(QueuePairs, AreHashedOneByOne) {
  ClusterSpec spec = cluster(64, FabricKind::rail_fat_tree, RoutingKind::ecmp);
  const auto uplinks = [&](int queue_pairs) {
    spec.fabric.queue_pairs = queue_pairs;
    const Fabric fabric = built(spec);
    const Path path = Router(fabric, 1).path(0, 40 * 8);
    std::vector<double> shares;
    for (const LinkShare& part : path.links)
      if (fabric.graph[fabric.source(part.link)].kind == VertexKind::leaf && fabric.link(part.link).kind == LinkKind::uplink)
        shares.push_back(part.share);
    return shares;
  };
  EXPECT_EQ(uplinks(1), (std::vector<double>{1}));
  const std::vector<double> eight = uplinks(8);
  EXPECT_GT(eight.size(), 2u);
  double sum = 0;
  for (const double share : eight) sum += share;
  EXPECT_NEAR(sum, 1, 1e-12);
}

// Under adaptive routing packets are sprayed anyway.
TEST(QueuePairs, ChangeNoSprayedRoute) {
  ClusterSpec spec = cluster(64, FabricKind::rail_fat_tree);
  const Fabric one = built(spec);
  spec.fabric.queue_pairs = 8;
  const Fabric eight = built(spec);
  EXPECT_EQ(Router(one, 1).path(0, 40 * 8).links, Router(eight, 1).path(0, 40 * 8).links);
}

TEST(Mesh, RefusesPairsThatCannotBe) {
  ClusterSpec spec = cluster(1, FabricKind::none);
  spec.node.kind = NodeKind::mesh;
  const auto expect_refused = [&](std::vector<NvlinkPair> pairs, const char* at) {
    spec.node.nvlink_pairs = std::move(pairs);
    try {
      built(spec);
      ADD_FAILURE() << "built";
    } catch (const SpecError& error) {
      EXPECT_EQ(error.path, at);
    }
  };
  expect_refused({}, "cluster.node");
  expect_refused({{0, 8, 1}}, "cluster.node.nvlink_pairs.0");
  expect_refused({{0, 1, 1}, {2, 2, 1}}, "cluster.node.nvlink_pairs.1");
  expect_refused({{0, 1, 1}, {1, 0, 2}}, "cluster.node.nvlink_pairs.1");
  expect_refused({{0, 1, 0}}, "cluster.node.nvlink_pairs.0");
  spec.node.gpus = 24;
  expect_refused({{0, 1, 1}}, "cluster.node.gpus");
  spec.node = hgx();
  expect_refused({{0, 1, 1}}, "cluster.node.nvlink_pairs");
}

}  // namespace
}  // namespace gridlock::topology
