// NVLS: the NVSwitch reduces what it reads from all GPUs and copies what one GPU writes to all.
//
//   one node (NVLS)      the switch reads S / n for each of n heads from every member and hands it to the head: S up and S / n
//                        down; each head writes its part to all: S / n up and S down. Together S (1 + 1/n) each way
//   N nodes (NVLSTree)   rail r of R has a head, the GPU beside its NIC. Its part S / R is reduced to the head by the switch, and
//                        goes up and down the double binary tree over the nodes through the head's NIC, and is written to all.
//                        NVLink of a member: S each way, and S / R more for the heads; NICs as in tree.cpp
//
// All-gather and reduce-scatter use the same links, one way less; their NVLink is never the slowest part, so they share the
// pattern. Source: NVIDIA/nccl v2.28.9-1 src/transport/nvls.cc, src/device/all_reduce.h.
//
// Worked example: 1 GB over 8 GPUs, NVLink 400 GB/s, no cap: 1.125 GB each way, 2.8125 ms.
#include <stdexcept>

#include "collectives/collnet.hpp"
#include "collectives/double_tree.hpp"
#include "collectives/pattern.hpp"

namespace gridlock::collectives {
namespace {

using topology::FlowKey;
using topology::GpuId;

void require_switch(const topology::Fabric& fabric, const NodeGroups& groups) {
  if (fabric.spec.node.kind != topology::NodeKind::nvswitch) throw std::logic_error("NVLS needs an NVSwitch");
  for (std::size_t k = 0; k < groups.nodes(); ++k) {
    if (groups.node(k).size() < 2) throw std::logic_error("NVLS needs at least two members in every node");
  }
}

}  // namespace

void append_switch_crossings(const topology::Router& router, std::span<const GpuId> members, std::size_t head,
                             std::vector<WeightedLink>& crossings) {
  for (std::size_t i = 0; i < members.size(); ++i) {
    // A path between two GPUs of the switch is one link up and one down: a round of neighbours has each link once.
    append_crossings(router.path(members[i], members[(i + 1) % members.size()]), crossings);
  }
  const GpuId other = members[head == 0 ? 1 : 0];
  crossings.push_back({router.path(members[head], other).links.front().link, 1});
  crossings.push_back({router.path(other, members[head]).links.back().link, 1});
}

Pattern nvls_pattern(const topology::Fabric& fabric, const topology::Router& router, std::span<const GpuId> members) {
  const NodeGroups groups = group_by_node(fabric, members);
  require_switch(fabric, groups);
  if (groups.nodes() != 1) throw std::logic_error("NVLS alone stays inside one node");
  Pattern pattern;
  pattern.algorithm = Algorithm::nvls;
  const std::size_t n = groups.members.size();
  std::vector<WeightedLink> crossings;
  for (std::size_t i = 0; i < n; ++i) append_crossings(router.path(groups.members[i], groups.members[(i + 1) % n]), crossings);
  for (WeightedLink& crossing : crossings) crossing.weight = 1 + 1 / static_cast<double>(n);
  pattern.bundles.push_back(make_bundle(crossings, 1));
  return pattern;
}

Pattern nvls_tree_pattern(const topology::Fabric& fabric, const topology::Router& router, std::span<const GpuId> members) {
  const NodeGroups groups = group_by_node(fabric, members);
  require_switch(fabric, groups);
  if (groups.nodes() < 2) throw std::logic_error("NVLSTree needs at least two nodes");
  Pattern pattern;
  pattern.algorithm = Algorithm::nvls_tree;
  const Rails rails = rails_of(groups, router);
  std::vector<WeightedLink> crossings;
  for (int tree = 0; tree < 2; ++tree) {
    for (int rail = 0; rail < rails.count; ++rail) {
      const FlowKey key{.channel = static_cast<std::uint32_t>(tree * rails.count + rail)};
      crossings.clear();
      for (std::size_t k = 0; k < groups.nodes(); ++k) {
        append_switch_crossings(router, groups.node(k), groups.beside(k, rails.nic(k, rail), router), crossings);
      }
      append_tree_edges(groups, rails, rail, tree, router, key, crossings);
      pattern.bundles.push_back(make_bundle(crossings, 0.5 / rails.count));
    }
  }
  merge_equal_bundles(pattern.bundles);
  return pattern;
}

}  // namespace gridlock::collectives
