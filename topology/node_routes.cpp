#include "topology/node_routes.hpp"

#include <algorithm>
#include <deque>
#include <limits>

#include "topology/builder.hpp"

namespace gridlock::topology {
namespace {

// Shortest ways (fewest links) from `from` to every vertex of node 0 over links of one medium, passing through the vertices that
// `forwards` allows. GPUs and NICs forward nothing.
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

double slowest(const Fabric& fabric, const Leg& leg) {
  double least = std::numeric_limits<double>::infinity();
  for (const LinkId id : leg.links) least = std::min(least, fabric.link(id).bytes_per_s);
  return least;
}

using Legs = std::vector<std::vector<Leg>>;  // [from GPU][to GPU]

// Pairs of a mesh without a cable: by way of the GPU with the widest cables to both, the lowest of equals.
Legs with_one_gpu_between(const Fabric& fabric, const Legs& direct) {
  Legs legs = direct;
  for (std::size_t from = 0; from < legs.size(); ++from) {
    for (std::size_t to = 0; to < legs.size(); ++to) {
      if (from == to || !direct[from][to].links.empty()) continue;
      for (std::size_t via = 0; via < legs.size(); ++via) {
        const Leg leg = via == from || via == to ? Leg{} : joined(direct[from][via], direct[via][to]);
        const bool wider = legs[from][to].links.empty() || slowest(fabric, leg) > slowest(fabric, legs[from][to]);
        if (!leg.links.empty() && wider) legs[from][to] = leg;
      }
    }
  }
  return legs;
}

Legs nvlink_legs(const Fabric& fabric) {
  const NodeSpec& node = fabric.spec.node;
  const auto gpus = static_cast<std::size_t>(node.gpus);
  Legs legs(gpus, std::vector<Leg>(gpus));
  if (node.kind == NodeKind::pcie) return legs;
  for (std::size_t g = 0; g < gpus; ++g) {
    const std::vector<Leg> found = legs_from(fabric, fabric.gpu_vertices[g], true);
    for (std::size_t h = 0; h < gpus; ++h) legs[g][h] = found[fabric.gpu_vertices[h]];
  }
  return node.kind == NodeKind::mesh ? with_one_gpu_between(fabric, legs) : legs;
}

}  // namespace

NodeRoutes::NodeRoutes(const Fabric& fabric) : gpus_(fabric.spec.node.gpus), nics_(fabric.spec.node.nics) {
  const NodeSpec& node = fabric.spec.node;
  const bool pxn = fabric.spec.fabric.pxn;

  std::vector<std::vector<Leg>> pcie_from_gpu, pcie_from_nic;
  for (int g = 0; g < gpus_; ++g) pcie_from_gpu.push_back(legs_from(fabric, fabric.gpu_vertices[g], false));
  for (int i = 0; i < nics_; ++i) pcie_from_nic.push_back(legs_from(fabric, fabric.nic_vertices[i], false));

  const Legs nvlink = nvlink_legs(fabric);
  for (int g = 0; g < gpus_; ++g) {
    for (int h = 0; h < gpus_; ++h)
      gpu_to_gpu_.push_back(nvlink[g][h].links.empty() ? pcie_from_gpu[g][fabric.gpu_vertices[h]] : nvlink[g][h]);
  }
  gpu_to_nic_.resize(static_cast<std::size_t>(gpus_) * nics_);
  nic_to_gpu_.resize(static_cast<std::size_t>(gpus_) * nics_);
  reaches_nic_.resize(static_cast<std::size_t>(gpus_) * nics_);
  for (int g = 0; g < gpus_; ++g) {
    for (int i = 0; i < nics_; ++i) {
      const Leg& out = pcie_from_gpu[g][fabric.nic_vertices[i]];
      const Leg& in = pcie_from_nic[i][fabric.gpu_vertices[g]];
      const int beside = gpu_beside_nic(node, i);
      const bool near = beside == g || out.links.size() == through_one_switch;
      const bool over_nvlink = pxn && !near && !nvlink[g][beside].links.empty();
      reaches_nic_[index(g, i, nics_)] = near || over_nvlink;
      gpu_to_nic_[index(g, i, nics_)] =
          over_nvlink ? joined(between_gpus(g, beside), pcie_from_gpu[beside][fabric.nic_vertices[i]]) : out;
      nic_to_gpu_[index(i, g, gpus_)] =
          over_nvlink ? joined(pcie_from_nic[i][fabric.gpu_vertices[beside]], between_gpus(beside, g)) : in;
    }
  }
  find_nics_of_gpus(node);
}

void NodeRoutes::find_nics_of_gpus(const NodeSpec& node) {
  nics_of_gpu_.resize(static_cast<std::size_t>(gpus_));
  for (int i = 0; i < nics_; ++i) nics_of_gpu_[static_cast<std::size_t>(gpu_beside_nic(node, i))].push_back(i);
  for (std::size_t g = 0; g < nics_of_gpu_.size(); ++g) {
    if (nics_of_gpu_[g].empty()) nics_of_gpu_[g] = g == 0 ? std::vector<int>{0} : std::vector<int>{nics_of_gpu_[g - 1].front()};
  }
}

}  // namespace gridlock::topology
