// CollNet: the switches of the fabric reduce (NVIDIA SHARP). Rail r of R has a head in every node, the GPU beside its NIC, that
// sends its node's part to the switch once and receives the result once:
//
//   NIC, leaf and spine   S / R out and S / R in, whatever the number of nodes; a switch passes one stream up and one down
//   CollNetDirect         inside a node every member sends its part of each rail to that rail's head over the NVSwitch, and back:
//                         out of a member (R - 1) / R S, of a head and (m - 1) / R S more
//   CollNetChain          inside a node a chain from the head on, both ways, as in tree.cpp
//   NVLS                  inside a node the NVSwitch reduces, as in nvls.cpp
//
// The links of one rail are those of all paths between the head of the first node and the others, each once; a trunk of sprayed
// cables too, though one SHARP tree uses one cable of it. Sources: NVIDIA/nccl v2.28.9-1 src/transport/coll_net.cc,
// src/graph/connect.cc; Graham et al., "Scalable Hierarchical Aggregation Protocol" (2016).
//
// Worked example: 1 GB over 4 nodes of 8, NICs of 50 GB/s: 1/8 GB through each NIC, 2.5 ms; a ring moves 2 * 31/32 / 8 GB, 4.8
// ms.
#include "collectives/collnet.hpp"

#include <algorithm>
#include <stdexcept>

#include "collectives/node_groups.hpp"

namespace gridlock::collectives {
namespace {

using topology::FlowKey;
using topology::GpuId;

class CollNet {
 public:
  CollNet(Algorithm algorithm, const topology::Fabric& fabric, const topology::Router& router, std::span<const GpuId> members)
      : algorithm_(algorithm), router_(router), groups_(group_by_node(fabric, members)), rails_(rails_of(groups_, router)) {}

  Pattern pattern() const {
    Pattern pattern{algorithm_, {}};
    for (int rail = 0; rail < rails_.count; ++rail) {
      std::vector<WeightedLink> crossings = between_nodes(rail);
      for (std::size_t k = 0; k < groups_.nodes(); ++k) append_inside(k, head(k, rail), crossings);
      pattern.bundles.push_back(make_bundle(std::move(crossings), 1.0 / rails_.count));
    }
    merge_equal_bundles(pattern.bundles);
    return pattern;
  }

 private:
  std::size_t head(std::size_t node, int rail) const { return groups_.beside(node, rails_.nic(node, rail), router_); }

  std::vector<WeightedLink> between_nodes(int rail) const {
    const FlowKey key{.channel = static_cast<std::uint32_t>(rail)};
    const GpuId root = groups_.node(0)[head(0, rail)];
    std::vector<WeightedLink> crossings;
    for (std::size_t k = 1; k < groups_.nodes(); ++k) {
      const GpuId other = groups_.node(k)[head(k, rail)];
      append_crossings(router_.path_via(other, rails_.nic(k, rail), root, rails_.nic(0, rail), key), crossings);
      append_crossings(router_.path_via(root, rails_.nic(0, rail), other, rails_.nic(k, rail), key), crossings);
    }
    // Each link once, with the largest share that any of the paths has on it.
    std::ranges::sort(crossings, [](const WeightedLink& a, const WeightedLink& b) {
      return a.link != b.link ? a.link < b.link : a.weight > b.weight;
    });
    crossings.erase(std::ranges::unique(crossings, {}, &WeightedLink::link).begin(), crossings.end());
    return crossings;
  }

  void append_inside(std::size_t node, std::size_t head, std::vector<WeightedLink>& crossings) const {
    const std::span<const GpuId> members = groups_.node(node);
    const auto both_ways = [&](GpuId a, GpuId b) {
      append_crossings(router_.path(a, b), crossings);
      append_crossings(router_.path(b, a), crossings);
    };
    if (members.size() == 1) return;
    if (algorithm_ == Algorithm::nvls) return append_switch_crossings(router_, members, head, crossings);
    for (std::size_t i = 1; i < members.size(); ++i) {
      const GpuId member = members[(head + i) % members.size()];
      both_ways(member, algorithm_ == Algorithm::collnet_direct ? members[head] : members[(head + i - 1) % members.size()]);
    }
  }

  Algorithm algorithm_;
  const topology::Router& router_;
  NodeGroups groups_;
  Rails rails_;
};

}  // namespace

Pattern collnet_pattern(Algorithm algorithm, const topology::Fabric& fabric, const topology::Router& router,
                        std::span<const GpuId> members) {
  const CommunicatorShape shape = communicator_shape(fabric, router, members);
  if (!fabric.spec.fabric.sharp || shape.nodes < 2) throw std::logic_error("CollNet needs several nodes on switches that reduce");
  if (algorithm == Algorithm::nvls && shape.ranks != shape.nodes * shape.ranks_per_node)
    throw std::logic_error("NVLS over several nodes needs equally many members in each");
  return CollNet(algorithm, fabric, router, members).pattern();
}

}  // namespace gridlock::collectives
