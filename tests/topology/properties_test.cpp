// What holds of every route in every fabric.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "clusters.hpp"

namespace gridlock::topology {
namespace {

// A connected custom fabric: a chain of switches with random shortcuts (some doubled, so loops and parallel cables), NICs
// anywhere.
std::vector<CustomEdge> random_edges(int nodes, int nics) {
  std::vector<CustomEdge> edges;
  const int switches = *rc::gen::inRange(1, 7);
  auto latency = [] { return *rc::gen::inRange(0, 50) * us; };
  auto any_switch = [&] { return "s" + std::to_string(*rc::gen::inRange(0, switches)); };
  for (int s = 1; s < switches; ++s) edges.push_back({"s" + std::to_string(s - 1), "s" + std::to_string(s), gb, latency()});
  for (int extra = *rc::gen::inRange(0, 8); extra > 0; --extra) {
    const std::string a = any_switch(), b = any_switch();
    if (a != b) edges.push_back({a, b, gb, latency()});
  }
  for (int n = 0; n < nodes; ++n) {
    const int cabled = *rc::gen::inRange(1, nics + 2);  // some NICs bare, the first perhaps with two cables
    for (int i = 0; i < cabled; ++i) {
      edges.push_back({"node" + std::to_string(n) + ".nic" + std::to_string(i % nics), any_switch(), gb, latency()});
    }
  }
  return edges;
}

ClusterSpec random_cluster() {
  const auto kind = *rc::gen::element(FabricKind::fat_tree, FabricKind::rail_fat_tree, FabricKind::rail_only, FabricKind::custom);
  ClusterSpec spec = cluster(*rc::gen::inRange(2, 40), kind);
  spec.fabric.routing = *rc::gen::element(RoutingKind::adaptive, RoutingKind::fixed, RoutingKind::ecmp);
  if (*rc::gen::arbitrary<bool>()) spec.node = pcie_box();
  spec.node.gpus = *rc::gen::inRange(1, 9);
  spec.node.nics = *rc::gen::inRange(1, 9);
  spec.fabric.pxn = *rc::gen::arbitrary<bool>();
  spec.fabric.tiers = *rc::gen::element(2, 3);
  spec.fabric.leaf_radix = *rc::gen::element(20, 32);
  spec.fabric.spine_radix = *rc::gen::element(16, 24, 64);
  spec.fabric.leaf_oversubscription = *rc::gen::element(1.0, 2.0, 3.0);
  spec.fabric.spine_oversubscription = *rc::gen::element(1.0, 2.0);
  if (kind == FabricKind::custom) spec.fabric.edges = random_edges(spec.nodes, spec.node.nics);
  return spec;
}

// Shares as a flow: leaves the source whole, arrives whole, and nothing is lost or made on the way.
void check_flow(const Fabric& fabric, const Path& path, GpuId src, GpuId dst) {
  std::map<VertexId, double> balance;  // in - out
  std::set<LinkId> seen;
  for (const auto& [id, share] : path.links) {
    RC_ASSERT(share > 0 && share <= 1);
    RC_ASSERT(seen.insert(id).second);
    balance[fabric.source(id)] -= share;
    balance[fabric.target(id)] += share;
  }
  for (const auto& [vertex, net] : balance) {
    const double expected = vertex == fabric.gpu_vertex(src) ? -1 : vertex == fabric.gpu_vertex(dst) ? 1 : 0;
    RC_ASSERT(std::abs(net - expected) < 1e-12);
  }
  RC_ASSERT(balance.contains(fabric.gpu_vertex(src)) && balance.contains(fabric.gpu_vertex(dst)));
}

// Links come in order of travel: each starts where an earlier one ended. The latency is that of the longest way through them.
void check_order_and_latency(const Fabric& fabric, const Path& path, GpuId src, GpuId dst) {
  std::map<VertexId, double> arrival{{fabric.gpu_vertex(src), 0.0}};
  for (const auto& [id, share] : path.links) {
    RC_ASSERT(arrival.contains(fabric.source(id)));
    const double time = arrival[fabric.source(id)] + fabric.link(id).latency_s;
    arrival[fabric.target(id)] = std::max(arrival[fabric.target(id)], time);
  }
  RC_ASSERT(std::abs(arrival[fabric.gpu_vertex(dst)] - path.latency_s) < 1e-12);
}

// NICs (local indices) of the node of `end` on the path.
std::set<int> nics_at(const Fabric& fabric, const Path& path, GpuId end) {
  std::set<int> nics;
  for (const auto& [id, share] : path.links) {
    for (const VertexId v : {fabric.source(id), fabric.target(id)}) {
      const Vertex& vertex = fabric.graph[v];
      if (vertex.kind == VertexKind::nic && vertex.node == static_cast<int>(end) / fabric.spec.node.gpus)
        nics.insert(vertex.index);
    }
  }
  return nics;
}

// Several ways need not have a common order (one may cross a loop of switches the other way round), so each pair of NICs is
// checked alone. The message arrives with its slowest way: one of these, and no NIC's share is there before.
void check_ways(const Fabric& fabric, const Router& router, const Path& path, GpuId src, GpuId dst, FlowKey key) {
  const std::set<int> out = nics_at(fabric, path, src), in = nics_at(fabric, path, dst);
  if (out.size() <= 1 && in.size() <= 1) return check_order_and_latency(fabric, path, src, dst);
  std::set<double> latencies;
  for (const int from : out) {
    double fastest = std::numeric_limits<double>::infinity();
    for (const int to : in) {
      try {
        const Path way = router.path_via(src, from, dst, to, key);
        check_order_and_latency(fabric, way, src, dst);
        latencies.insert(way.latency_s);
        fastest = std::min(fastest, way.latency_s);
      } catch (const SpecError&) {  // this NIC of the sender goes with another of the receiver's
      }
    }
    RC_ASSERT(path.latency_s >= fastest);
  }
  RC_ASSERT(latencies.contains(path.latency_s));
}

bool crosses(const Fabric& fabric, const Path& path) {
  for (const auto& [id, share] : path.links) {
    if (fabric.link(id).kind == LinkKind::nic) return true;
  }
  return false;
}

TEST(Properties, EveryRouteIsAFlowFromSourceToDestination) {
  EXPECT_TRUE(rc::check([] {
    const ClusterSpec spec = random_cluster();
    std::optional<Fabric> fabric;
    try {
      fabric = built(spec);
    } catch (const SpecError& error) {
      RC_DISCARD(std::string(error.what()));  // too many nodes for the radix drawn
    }
    const Router router(*fabric, *rc::gen::arbitrary<std::uint64_t>());
    for (int i = 0; i < 8; ++i) {
      const GpuId src = *rc::gen::inRange<GpuId>(0, fabric->gpu_count());
      const GpuId dst = *rc::gen::inRange<GpuId>(0, fabric->gpu_count());
      if (src == dst) continue;
      const FlowKey key{*rc::gen::inRange(0u, 8u), *rc::gen::inRange(0u, 8u)};
      Path path;
      try {
        path = router.path(src, dst, key);
      } catch (const SpecError& error) {
        RC_ASSERT(spec.fabric.kind == FabricKind::rail_only);  // no way between rails
        RC_ASSERT(error.path == "cluster.fabric.pxn");
        continue;
      }
      check_flow(*fabric, path, src, dst);
      check_ways(*fabric, router, path, src, dst, key);
      RC_ASSERT(path.crosses_network == (src / spec.node.gpus != dst / spec.node.gpus));
      RC_ASSERT(crosses(*fabric, path) == path.crosses_network);
      if (spec.fabric.kind == FabricKind::custom || spec.fabric.routing == RoutingKind::adaptive) continue;
      if (spec.node.nics > spec.node.gpus) continue;  // a message is spread over the GPU's NICs
      for (const LinkShare& link : path.links) RC_ASSERT(link.share == 1);
    }
  }));
}

TEST(Properties, ChosenNicsAreTheOnesUsed) {
  EXPECT_TRUE(rc::check([] {
    ClusterSpec spec = cluster(*rc::gen::inRange(2, 40), *rc::gen::element(FabricKind::fat_tree, FabricKind::rail_fat_tree),
                               *rc::gen::element(RoutingKind::adaptive, RoutingKind::fixed, RoutingKind::ecmp));
    spec.fabric.pxn = *rc::gen::arbitrary<bool>();
    const Fabric fabric = built(spec);
    const Router router(fabric, 1);
    const GpuId src = *rc::gen::inRange(0u, 8u), dst = *rc::gen::inRange(8u, fabric.gpu_count());
    const int out = *rc::gen::inRange(0, 8), in = *rc::gen::inRange(0, 8);
    const Path path = router.path_via(src, out, dst, in);
    check_flow(fabric, path, src, dst);
    check_order_and_latency(fabric, path, src, dst);
    std::vector<VertexId> nics;
    for (const auto& [id, share] : path.links) {
      if (fabric.graph[fabric.target(id)].kind == VertexKind::nic) nics.push_back(fabric.target(id));
    }
    RC_ASSERT(nics == (std::vector<VertexId>{fabric.nic_vertices[out], fabric.nic_vertices[dst / 8 * 8 + in]}));
  }));
}

}  // namespace
}  // namespace gridlock::topology
