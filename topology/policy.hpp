// Which of the equal-cost next hops a flow takes: one file for each policy.
#pragma once

#include <cstdint>
#include <memory>

#include "topology/router.hpp"
#include "topology/switch_graph.hpp"

namespace gridlock::topology {

// One flow from NIC to NIC (global numbers, node * nics + nic).
struct NetworkFlow {
  std::uint32_t src_nic, dst_nic;
  FlowKey key;
};

class RoutingPolicy {
 public:
  virtual ~RoutingPolicy() = default;
  // Appends the links from the flow's source NIC to `anchor`, in order of travel, and adds their latency to the path.
  // REQUIRES that there is a way.
  virtual void route(const NetworkFlow& flow, NetId anchor, Path& path) const = 0;
};

std::unique_ptr<RoutingPolicy> adaptive_policy(const Fabric& fabric, const SwitchGraph& network);
std::unique_ptr<RoutingPolicy> fixed_policy(const Fabric& fabric, const SwitchGraph& network);
std::unique_ptr<RoutingPolicy> ecmp_policy(const Fabric& fabric, const SwitchGraph& network, std::uint64_t seed);

// The walk that static and ecmp share: `choose(equal, at)` says which of `equal` next hops is taken at vertex `at`.
template <class Choose>
void walk_single_path(const Fabric& fabric, const SwitchGraph& network, NetId from, NetId anchor, Path& path, Choose choose) {
  Hops hops;
  for (NetId at = from; at != anchor;) {
    network.next_hops(at, anchor, hops);
    const Hop& hop = hops[hops.size() == 1 ? 0 : choose(static_cast<std::uint32_t>(hops.size()), at)];
    path.links.push_back({hop.link, 1.0});
    path.latency_s += fabric.link(hop.link).latency_s;
    at = hop.to;
  }
}

}  // namespace gridlock::topology
