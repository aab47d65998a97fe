// Rings over rails.
//
// A ring of n members moves the same bytes over each of its n edges. NCCL lays several rings (channels) at once, so that every
// NIC is used; the ring visits all members of a node, then goes on to the next node:
//
//   one node             any order of the members crosses each member's link out and link in once: one bundle, share 1
//   one member a node    the ring of the members' own NICs
//   even number of nodes channel c enters even nodes by NIC c and leaves them by NIC c + 1; odd nodes the other way round. It
//                        stays on one rail between nodes, and every NIC carries one channel in and one out
//   odd number of nodes  channel c enters and leaves by NIC c; the last member of a node reaches it over NVLink (PXN)
//   more NICs than GPUs  "NIC c + 1" above is the NIC of the next GPU
//   NVLink mesh          the orders of mesh_order.hpp; on one node each tour in both directions
//
// Sum over channels, R rails, m = R members a node, wire bytes W: each NIC carries W / R in and out; each member's NVLink
// (m - 1) / m * W up and down with an even number of nodes, W with an odd one. Sources: NVIDIA/nccl v2.28.9-1
// src/graph/search.cc (channel search, crossNic), src/graph/rings.cc; NVIDIA blog on PXN (NCCL 2.12).
//
// Worked example: 2 nodes of 2 members a, b with NICs 0, 1. Channel 0: a0 -> b0 =NIC 1=> b1 -> a1 =NIC 0=> a0.
// Channel 1: b0 -> a0 =NIC 0=> a1 -> b1 =NIC 1=> b0. Each NIC: one channel out, one in, half of W each.
#include <algorithm>
#include <stdexcept>

#include "collectives/mesh_order.hpp"
#include "collectives/node_groups.hpp"
#include "collectives/pattern.hpp"

namespace gridlock::collectives {
namespace {

using topology::FlowKey;
using topology::GpuId;

// The NICs by which one channel enters and leaves one node.
struct Passage {
  int in = 0, out = 0;
};

Passage passage(const Rails& rails, std::size_t nodes, std::size_t node, int channel) {
  const int rail = channel % rails.count;
  if (nodes % 2 != 0 || rails.count < 2) return {rails.nic(node, rail), rails.nic(node, rail)};
  const int next = (rail + rails.stride) % rails.count;
  return node % 2 == 0 ? Passage{rails.nic(node, rail), rails.nic(node, next)}
                       : Passage{rails.nic(node, next), rails.nic(node, rail)};
}

// The order in which a channel visits the members of a node: first one beside the NIC it enters by, last one beside the NIC it
// leaves by. Where that would be the same GPU the last is the one before it, and its bytes cross NVLink once more.
void order_members(const topology::Fabric& fabric, const NodeGroups& groups, std::size_t node, const Passage& nics,
                   const topology::Router& router, std::vector<GpuId>& order) {
  const std::span<const GpuId> members = groups.node(node);
  const std::size_t size = members.size(), entry = groups.beside(node, nics.in, router);
  std::size_t exit = groups.beside(node, nics.out, router);
  if (exit == entry) exit = (entry + size - 1) % size;
  if (fabric.spec.node.kind == topology::NodeKind::mesh) {
    order = nvlink_chain(fabric, members, members[entry], members[exit]);
    return;
  }
  order.clear();
  for (std::size_t step = 0; step < size; ++step) {
    const std::size_t i = (entry + step) % size;
    if (i != exit || size == 1) order.push_back(members[i]);
  }
  if (size > 1) order.push_back(members[exit]);
}

Bundle closed_ring(const topology::Router& router, std::span<const GpuId> order, double share) {
  std::vector<WeightedLink> crossings;
  for (std::size_t i = 0; i < order.size(); ++i)
    append_crossings(router.path(order[i], order[(i + 1) % order.size()]), crossings);
  return make_bundle(crossings, share);
}

std::vector<Bundle> one_node_rings(const topology::Fabric& fabric, const topology::Router& router,
                                   std::span<const GpuId> members) {
  if (fabric.spec.node.kind != topology::NodeKind::mesh) return {closed_ring(router, members, 1)};
  std::vector<std::vector<GpuId>> tours = nvlink_tours(fabric, members);
  if (tours.empty()) return {closed_ring(router, nvlink_chain(fabric, members, members.front(), members.front()), 1)};
  std::vector<Bundle> rings;
  const double share = 0.5 / static_cast<double>(tours.size());
  for (std::vector<GpuId>& tour : tours) {
    rings.push_back(closed_ring(router, tour, share));
    std::ranges::reverse(tour);
    rings.push_back(closed_ring(router, tour, share));
  }
  merge_equal_bundles(rings);
  return rings;
}

Bundle channel_ring(const topology::Fabric& fabric, const topology::Router& router, const NodeGroups& groups, const Rails& rails,
                    int channel, double share) {
  const FlowKey key{.channel = static_cast<std::uint32_t>(channel)};
  const std::size_t nodes = groups.nodes();
  std::vector<WeightedLink> crossings;
  std::vector<GpuId> order, next;
  order_members(fabric, groups, 0, passage(rails, nodes, 0, channel), router, order);
  for (std::size_t k = 0; k < nodes; ++k) {
    const std::size_t after = (k + 1) % nodes;
    const Passage here = passage(rails, nodes, k, channel), there = passage(rails, nodes, after, channel);
    order_members(fabric, groups, after, there, router, next);
    for (std::size_t i = 0; i + 1 < order.size(); ++i) append_crossings(router.path(order[i], order[i + 1], key), crossings);
    append_crossings(router.path_via(order.back(), here.out, next.front(), there.in, key), crossings);
    order.swap(next);
  }
  return make_bundle(crossings, share);
}

}  // namespace

double ring_wire_bytes(Kind kind, int ranks, double bytes) {
  if (is_point_to_point(kind)) throw std::logic_error("point-to-point traffic does not run as a ring");
  return bus_factor(kind, ranks) * bytes;
}

Pattern ring_pattern(const topology::Fabric& fabric, const topology::Router& router, std::span<const GpuId> members,
                     int channels) {
  if (members.size() < 2) throw std::logic_error("a ring needs at least two members");
  Pattern pattern;
  const NodeGroups groups = group_by_node(fabric, members);
  if (groups.nodes() == 1) {
    pattern.bundles = one_node_rings(fabric, router, groups.members);
    return pattern;
  }
  const Rails rails = rails_of(groups, router);
  if (channels == 0) channels = rails.count * (fabric.spec.fabric.routing == topology::RoutingKind::ecmp ? 2 : 1);
  for (int c = 0; c < channels; ++c) pattern.bundles.push_back(channel_ring(fabric, router, groups, rails, c, 1.0 / channels));
  merge_equal_bundles(pattern.bundles);
  return pattern;
}

}  // namespace gridlock::collectives
