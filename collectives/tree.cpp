// Double binary trees: reduce up to the root and broadcast down, pipelined, so every tree edge carries its bytes both ways.
//
// Rail r of R has two channels, one for each of the two trees over the nodes (double_tree.hpp), with 1 / (2R) of the data. Inside
// a node the members form a chain that starts at the GPU beside the rail's NIC; that GPU talks to the parent and the children:
//
//   NIC out, of a node that is inside one tree and a leaf of the other: (1 parent + 2 children + 1 parent) / (2R) * S = 2 S / R
//   NVLink out of a member: one edge at the chain's end, two elsewhere; over the rails of m = R members 2 (m - 1) / m * S
//
// Members of one node form one chain. NCCL hangs the second child below the second GPU of the chain (balanced tree), which
// moves bytes between PCIe links but not between NICs; that is left out. Sources: NVIDIA/nccl v2.28.9-1 src/graph/trees.cc,
// src/graph/connect.cc.
//
// Worked example: S = 1 GB over 2 nodes of one GPU, NICs of 50 GB/s: each tree has one edge, both ways, with 0.5 GB. A NIC
// carries 1 GB out and 1 GB in: 20 ms.
#include <algorithm>
#include <stdexcept>

#include "collectives/double_tree.hpp"
#include "collectives/mesh_order.hpp"
#include "collectives/pattern.hpp"

namespace gridlock::collectives {
namespace {

using topology::FlowKey;
using topology::GpuId;

void append_both_ways(const topology::Router& router, GpuId a, GpuId b, FlowKey key, std::vector<WeightedLink>& crossings) {
  append_crossings(router.path(a, b, key), crossings);
  append_crossings(router.path(b, a, key), crossings);
}

void append_chain(const topology::Router& router, std::span<const GpuId> order, FlowKey key,
                  std::vector<WeightedLink>& crossings) {
  for (std::size_t i = 0; i + 1 < order.size(); ++i) append_both_ways(router, order[i], order[i + 1], key, crossings);
}

// The chain of a node's members from `head` on: round the end, or along the NVLinks of a mesh.
std::vector<GpuId> chain_order(const topology::Fabric& fabric, std::span<const GpuId> members, std::size_t head) {
  if (fabric.spec.node.kind == topology::NodeKind::mesh) return nvlink_chain(fabric, members, members[head], members[head]);
  std::vector<GpuId> order(members.begin(), members.end());
  std::ranges::rotate(order, order.begin() + static_cast<std::ptrdiff_t>(head));
  return order;
}

// Chains of one node: one, or on a mesh one along each tour.
std::vector<Bundle> one_node_chains(const topology::Fabric& fabric, const topology::Router& router,
                                    std::span<const GpuId> members) {
  std::vector<std::vector<GpuId>> orders;
  if (fabric.spec.node.kind == topology::NodeKind::mesh) orders = nvlink_tours(fabric, members);
  if (orders.empty()) orders.push_back(chain_order(fabric, members, 0));
  std::vector<Bundle> chains;
  for (const std::vector<GpuId>& order : orders) {
    std::vector<WeightedLink> crossings;
    append_chain(router, order, {}, crossings);
    chains.push_back(make_bundle(crossings, 1 / static_cast<double>(orders.size())));
  }
  merge_equal_bundles(chains);
  return chains;
}

}  // namespace

Pattern tree_pattern(const topology::Fabric& fabric, const topology::Router& router, std::span<const GpuId> members) {
  if (members.size() < 2) throw std::logic_error("a tree needs at least two members");
  Pattern pattern;
  pattern.algorithm = Algorithm::tree;
  const NodeGroups groups = group_by_node(fabric, members);
  std::vector<WeightedLink> crossings;
  if (groups.nodes() == 1) {
    pattern.bundles = one_node_chains(fabric, router, groups.members);
    return pattern;
  }
  const Rails rails = rails_of(groups, router);
  for (int tree = 0; tree < 2; ++tree) {
    for (int rail = 0; rail < rails.count; ++rail) {
      const FlowKey key{.channel = static_cast<std::uint32_t>(tree * rails.count + rail)};
      crossings.clear();
      for (std::size_t k = 0; k < groups.nodes(); ++k) {
        append_chain(router, chain_order(fabric, groups.node(k), groups.beside(k, rails.nic(k, rail), router)), key, crossings);
      }
      append_tree_edges(groups, rails, rail, tree, router, key, crossings);
      pattern.bundles.push_back(make_bundle(crossings, 0.5 / rails.count));
    }
  }
  merge_equal_bundles(pattern.bundles);
  return pattern;
}

}  // namespace gridlock::collectives
