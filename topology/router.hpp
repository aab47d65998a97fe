// Which links a message crosses. Shortest paths, then the policy of the fabric:
//   adaptive  a flow spreads evenly over all equal-cost next hops (share < 1 on each); in tree fabrics the parallel cables
//             are one trunk already, so there all shares are 1
//   static    destination number mod number of equal-cost next hops (see policy_fixed.cpp)
//   ecmp      hash(seed, key, source NIC, destination NIC, switch) mod number of equal-cost next hops
// A GPU with several NICs spreads a message evenly over them, and a connection over its queue pairs: each link then has its
// share. A flow between rails of a rail fabric first goes over NVLink to the GPU beside the NIC of the receiver's rail (PXN)
// where the fabric says `pxn` and the node has NVLink; else it crosses in the spines. Cables that are down (capacity 0) are in
// no route.
//
// Worked example: GPU 0 to GPU 9, nodes of 8 GPUs and 8 NICs on one scalable unit of a rail fat tree: node0.gpu0 -nvlink-
// node0.nvswitch -nvlink- node0.gpu1 -pcie- node0.pcie1 -pcie- node0.nic1 - leaf1 - node1.nic1 -pcie- node1.pcie1 -pcie-
// node1.gpu1.
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
  std::vector<LinkShare> links;  // in order of travel; of several ways, one way after another
  double latency_s = 0;          // sum over the hops of the longest way
  bool crosses_network = false;  // leaves the node
};

// Tells flows between the same ends apart under ecmp.
struct FlowKey {
  std::uint32_t channel = 0;
  std::uint32_t queue_pair = 0;
};

class Router {
 public:
  // Keeps a reference to the fabric, which must stay where it is. Not for several threads at once: tables are filled when needed.
  Router(const Fabric& fabric, std::uint64_t seed);
  ~Router();
  Router(Router&&) noexcept;
  Router& operator=(Router&&) noexcept;
  // REQUIRES src != dst. Throws SpecError when no path exists. Costs O(hops); switch-to-switch tables are cached. Over several
  // NICs or queue pairs the ways follow each other; what they have in common is listed once.
  Path path(GpuId src, GpuId dst, FlowKey key = {}) const;
  // As path, but leaving through NIC `src_nic` and entering through NIC `dst_nic` (local indices) of two different nodes:
  // what a ring over a chosen rail takes. GPU to NIC goes over PCIe when they share a switch, else over NVLink to the GPU
  // beside that NIC (PXN), else through the sockets.
  Path path_via(GpuId src, int src_nic, GpuId dst, int dst_nic, FlowKey key = {}) const;
  // The NICs (local indices) beside a GPU, or the nearest one. REQUIRES a node with NICs.
  const std::vector<int>& nics_of(GpuId g) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gridlock::topology
