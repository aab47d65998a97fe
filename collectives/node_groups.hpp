// The members of a communicator, node by node: what every multi-node algorithm is laid out from.
#pragma once

#include <span>
#include <vector>

#include "topology/router.hpp"

namespace gridlock::collectives {

// Nodes in the order of their lowest rank; inside a node, members by GPU number (the order of their PCIe switches).
struct NodeGroups {
  std::vector<topology::GpuId> members;
  std::vector<std::uint32_t> first;  // node k holds members[first[k]] up to members[first[k + 1]]

  std::size_t nodes() const { return first.size() - 1; }
  std::span<const topology::GpuId> node(std::size_t k) const {
    return {members.data() + first[k], members.data() + first[k + 1]};
  }
  // Position in node k of the first member beside a NIC. REQUIRES one, as every rail of rails_of() has.
  std::size_t beside(std::size_t k, int nic, const topology::Router& router) const;
};

// REQUIRES members all different. O(n log n); O(n) when they already come node by node.
NodeGroups group_by_node(const topology::Fabric& fabric, std::span<const topology::GpuId> members);

// The NICs that channels use: `count` rails, and for each node the local NIC index of each.
struct Rails {
  int count = 0;
  int stride = 1;         // rails from one GPU's first NIC to the next GPU's
  std::vector<int> nics;  // node * count + rail
  int nic(std::size_t node, int rail) const {
    return nics[node * static_cast<std::size_t>(count) + static_cast<std::size_t>(rail)];
  }
};

// Every node uses the NICs beside its members, or the nearest; as many rails as the node with the fewest can give (NCCL takes the
// least channel count of all ranks). Rails stay aligned (the same NIC index everywhere) whenever all nodes share that many
// indices.
Rails rails_of(const NodeGroups& groups, const topology::Router& router);

}  // namespace gridlock::collectives
