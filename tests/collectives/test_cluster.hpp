// Small clusters with round numbers, so that tests can do the algebra by hand.
#pragma once

#include <numeric>
#include <vector>

#include "collectives/pattern.hpp"
#include "topology/fabric.hpp"
#include "topology/router.hpp"

namespace gridlock::collectives::test {

constexpr double nvlink_capacity = 400e9, pcie_capacity = 100e9, nic_capacity = 50e9;

// HGX-like nodes of 8 GPUs, 8 NICs unless said otherwise, on a non-blocking rail fat tree; efficiencies 1, latencies 0.
inline topology::ClusterSpec cluster(int nodes, topology::RoutingKind routing = topology::RoutingKind::adaptive, int nics = 8) {
  topology::ClusterSpec spec;
  spec.nodes = nodes;
  spec.node.name = "hgx";
  spec.node.gpus = 8;
  spec.node.nics = nics;
  spec.node.nvlink_bytes_per_s = nvlink_capacity;
  spec.node.pcie_bytes_per_s = pcie_capacity;
  spec.node.socket_bytes_per_s = 100e9;
  spec.node.nic_bytes_per_s = nic_capacity;
  spec.fabric.kind = nodes == 1 ? topology::FabricKind::none : topology::FabricKind::rail_fat_tree;
  spec.fabric.nic_bytes_per_s = nic_capacity;
  spec.fabric.routing = routing;
  return spec;
}

struct Machine {
  topology::Fabric fabric;
  topology::Router router;
  explicit Machine(const topology::ClusterSpec& spec) : fabric(topology::build_fabric(spec, {}, {})), router(fabric, 1) {}
  explicit Machine(int nodes) : Machine(cluster(nodes)) {}
};

// `per_node` GPUs of each of `nodes` nodes, from local GPU `first` on.
inline std::vector<topology::GpuId> members(int nodes, int per_node, int first = 0) {
  std::vector<topology::GpuId> gpus;
  for (int node = 0; node < nodes; ++node) {
    for (int i = 0; i < per_node; ++i) gpus.push_back(static_cast<topology::GpuId>(node * 8 + first + i));
  }
  return gpus;
}

// Wire bytes on each link, by link id, per wire byte of the call: sum over bundles of share * weight.
inline std::vector<double> loads(const topology::Fabric& fabric, const Pattern& pattern) {
  std::vector<double> load(fabric.link_count());
  for (const Bundle& bundle : pattern.bundles) {
    for (const auto& [link, weight] : bundle.links) load[link] += bundle.share * weight;
  }
  return load;
}

// The links of one kind into (or out of) a vertex, added up.
inline double load_at(const topology::Fabric& fabric, const std::vector<double>& load, topology::VertexId vertex,
                      topology::LinkKind kind, bool into) {
  double sum = 0;
  for (topology::LinkId id = 0; id < load.size(); ++id) {
    const topology::VertexId end = into ? fabric.target(id) : fabric.source(id);
    if (end == vertex && fabric.link(id).kind == kind) sum += load[id];
  }
  return sum;
}

inline double nvlink_out(const Machine& m, const std::vector<double>& load, topology::GpuId gpu) {
  return load_at(m.fabric, load, m.fabric.gpu_vertex(gpu), topology::LinkKind::nvlink, false);
}
inline double nvlink_in(const Machine& m, const std::vector<double>& load, topology::GpuId gpu) {
  return load_at(m.fabric, load, m.fabric.gpu_vertex(gpu), topology::LinkKind::nvlink, true);
}
inline double nic_out(const Machine& m, const std::vector<double>& load, std::size_t nic) {
  return load_at(m.fabric, load, m.fabric.nic_vertices[nic], topology::LinkKind::nic, false);
}
inline double nic_in(const Machine& m, const std::vector<double>& load, std::size_t nic) {
  return load_at(m.fabric, load, m.fabric.nic_vertices[nic], topology::LinkKind::nic, true);
}

}  // namespace gridlock::collectives::test
