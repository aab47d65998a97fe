#include "topology/node_routes.hpp"

#include <algorithm>
#include <deque>

#include "topology/builder.hpp"

namespace gridlock::topology {
namespace {

// Shortest ways (fewest links) from `from` to every vertex of node 0, passing through the NVSwitch only (`nvlink`) or through
// PCIe switches and sockets only. GPUs and NICs forward nothing.
std::vector<Leg> legs_from(const Fabric& fabric, VertexId from, bool nvlink) {
  auto forwards = [&](VertexId v) {
    const VertexKind kind = fabric.graph[v].kind;
    return nvlink ? kind == VertexKind::nvswitch : kind == VertexKind::pcie_switch || kind == VertexKind::socket;
  };
  std::vector<Leg> legs(fabric.vertices_per_node);
  std::deque<VertexId> queue{from};
  while (!queue.empty()) {
    const VertexId v = queue.front();
    queue.pop_front();
    for (auto [edge, end] = out_edges(v, fabric.graph); edge != end; ++edge) {
      const auto head = static_cast<VertexId>(target(*edge, fabric.graph));
      const Link& link = fabric.graph[*edge];
      const bool medium_fits = (link.kind == LinkKind::nvlink) == nvlink;
      if (head >= fabric.vertices_per_node || head == from || !legs[head].links.empty() || !medium_fits) continue;
      legs[head] = legs[v];
      legs[head].links.push_back(link.id);
      legs[head].latency_s += link.latency_s;
      if (forwards(head)) queue.push_back(head);
    }
  }
  return legs;
}

Leg joined(const Leg& first, const Leg& second) {
  if (first.links.empty() || second.links.empty()) return {};
  Leg whole = first;
  whole.links.insert(whole.links.end(), second.links.begin(), second.links.end());
  whole.latency_s += second.latency_s;
  return whole;
}

constexpr std::size_t through_one_switch = 2;  // links from a GPU to a NIC on the same PCIe switch

}  // namespace

NodeRoutes::NodeRoutes(const Fabric& fabric) : gpus_(fabric.spec.node.gpus), nics_(fabric.spec.node.nics) {
  const NodeSpec& node = fabric.spec.node;
  const bool nvlink = node.kind == NodeKind::nvswitch;
  const bool pxn = fabric.spec.fabric.pxn && nvlink;

  std::vector<std::vector<Leg>> pcie_from_gpu, pcie_from_nic;
  for (int g = 0; g < gpus_; ++g) pcie_from_gpu.push_back(legs_from(fabric, fabric.gpu_vertices[g], false));
  for (int i = 0; i < nics_; ++i) pcie_from_nic.push_back(legs_from(fabric, fabric.nic_vertices[i], false));

  for (int g = 0; g < gpus_; ++g) {
    const std::vector<Leg> legs = nvlink ? legs_from(fabric, fabric.gpu_vertices[g], true) : pcie_from_gpu[g];
    for (int h = 0; h < gpus_; ++h) gpu_to_gpu_.push_back(legs[fabric.gpu_vertices[h]]);
  }
  gpu_to_nic_.resize(static_cast<std::size_t>(gpus_) * nics_);
  nic_to_gpu_.resize(static_cast<std::size_t>(gpus_) * nics_);
  for (int g = 0; g < gpus_; ++g) {
    for (int i = 0; i < nics_; ++i) {
      const Leg& out = pcie_from_gpu[g][fabric.nic_vertices[i]];
      const Leg& in = pcie_from_nic[i][fabric.gpu_vertices[g]];
      const int beside = gpu_beside_nic(node, i);
      const bool over_nvlink = pxn && beside != g && out.links.size() != through_one_switch;
      gpu_to_nic_[index(g, i, nics_)] =
          over_nvlink ? joined(between_gpus(g, beside), pcie_from_gpu[beside][fabric.nic_vertices[i]]) : out;
      nic_to_gpu_[index(i, g, gpus_)] =
          over_nvlink ? joined(pcie_from_nic[i][fabric.gpu_vertices[beside]], between_gpus(beside, g)) : in;
    }
  }
  for (int g = 0; g < gpus_; ++g) {
    int nearest = 0;
    for (int i = 1; i < nics_; ++i) {
      const int beside = gpu_beside_nic(node, i);
      if (beside <= g && beside > gpu_beside_nic(node, nearest)) nearest = i;
    }
    nearest_nic_.push_back(nearest);
  }
}

}  // namespace gridlock::topology
