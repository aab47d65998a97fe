// Which links a message crosses. Shortest paths, then the policy of the fabric:
//   adaptive  a flow spreads evenly over all equal-cost next hops (share < 1 on each); parallel cables are one trunk already
//   static    next hop number (destination NIC index mod number of equal-cost next hops)
//   ecmp      next hop number hash(seed, key, switch) mod number of equal-cost next hops
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "topology/fabric.hpp"

namespace gridlock::topology {

// The part `share` of a flow's bytes crosses `link` (a link may appear once only in a route of one message).
struct LinkShare {
  LinkId link;
  double share;
  bool operator==(const LinkShare&) const = default;
};

struct Path {
  std::vector<LinkShare> links;  // in order of travel
  double latency_s = 0;          // sum over the hops of the (longest) path
  bool crosses_network = false;  // leaves the node
};

// Tells flows between the same ends apart under ecmp.
struct FlowKey {
  std::uint32_t channel = 0;
  std::uint32_t queue_pair = 0;
};

class Router {
 public:
  Router(const Fabric& fabric, std::uint64_t seed);
  ~Router();
  // REQUIRES src != dst. Throws SpecError when no path exists. Costs O(hops); switch-to-switch tables are cached.
  Path path(GpuId src, GpuId dst, FlowKey key = {}) const;
  // As path, but leaving through NIC `src_nic` and entering through NIC `dst_nic` (local indices) of two different nodes:
  // what a ring over a chosen rail takes. GPU to NIC goes over PCIe when they share a switch, else over NVLink to the GPU
  // beside that NIC (PXN), else through the sockets.
  Path path_via(GpuId src, int src_nic, GpuId dst, int dst_nic, FlowKey key = {}) const;
  // The NIC (local index) nearest to a GPU.
  int nic_of(GpuId g) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gridlock::topology
