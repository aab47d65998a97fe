// Routes inside one node. All nodes are alike, so they are found once, on node 0, and shifted by the node's first link.
#pragma once

#include <vector>

#include "topology/fabric.hpp"

namespace gridlock::topology {

// Links of one way through node 0, in order. An empty leg means that there is no such way.
struct Leg {
  std::vector<LinkId> links;
  double latency_s = 0;
};

class NodeRoutes {
 public:
  explicit NodeRoutes(const Fabric& fabric);

  // NVLink where it joins the two, through the NVSwitch, directly or by way of one more GPU of a mesh; else PCIe switches and
  // sockets.
  const Leg& between_gpus(int from, int to) const { return gpu_to_gpu_[index(from, to, gpus_)]; }
  // PCIe where GPU and NIC share a switch; else, with `pxn` and NVLink between them, by way of the GPU beside the NIC; else the
  // sockets.
  const Leg& to_nic(int gpu, int nic) const { return gpu_to_nic_[index(gpu, nic, nics_)]; }
  const Leg& from_nic(int nic, int gpu) const { return nic_to_gpu_[index(nic, gpu, gpus_)]; }
  // Whether to_nic leads to the switch of the NIC without crossing a socket.
  bool reaches_nic(int gpu, int nic) const { return reaches_nic_[index(gpu, nic, nics_)]; }
  // The NICs beside a GPU, in order; where there are fewer NICs than GPUs, the one beside the nearest GPU at or before it.
  const std::vector<int>& nics_of(int gpu) const { return nics_of_gpu_[static_cast<std::size_t>(gpu)]; }

 private:
  void find_nics_of_gpus(const NodeSpec& node);
  static std::size_t index(int row, int column, int columns) { return static_cast<std::size_t>(row) * columns + column; }

  int gpus_, nics_;
  std::vector<Leg> gpu_to_gpu_, gpu_to_nic_, nic_to_gpu_;
  std::vector<bool> reaches_nic_;
  std::vector<std::vector<int>> nics_of_gpu_;
};

}  // namespace gridlock::topology
