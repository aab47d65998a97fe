// The machine as a directed graph: vertices are devices, edges are one direction of a cable or of a trunk of cables.
// A Fabric is built once, then only read. GPU g is local GPU g % gpus_per_node of physical node g / gpus_per_node.
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "topology/specs.hpp"

namespace gridlock::topology {

using LinkId = std::uint32_t;
using VertexId = std::uint32_t;
using GpuId = std::uint32_t;

enum class VertexKind : std::uint8_t { gpu, nvswitch, pcie_switch, socket, nic, leaf, spine, core, custom };
enum class LinkKind : std::uint8_t { nvlink, pcie, socket, nic, uplink, core, custom };

struct Vertex {
  VertexKind kind = VertexKind::gpu;
  std::int32_t node = -1;   // physical node, -1 for switches of the fabric
  std::int32_t index = 0;   // local index in the node, or index among the switches of its kind
  std::int32_t rail = -1;   // of a leaf or a rail-only spine, else -1
};

struct Link {
  LinkId id = 0;
  LinkKind kind = LinkKind::nvlink;
  std::uint32_t cables = 1;          // parallel cables that a trunk stands for
  double bytes_per_s = 0;            // payload capacity of all cables together, after efficiency and faults
  double latency_s = 0;
};

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, Vertex, Link>;

class Fabric {
 public:
  Graph graph;
  ClusterSpec spec;
  std::vector<Graph::edge_descriptor> link_edges;  // by LinkId

  int gpus_per_node() const { return spec.node.gpus; }
  std::uint32_t gpu_count() const { return static_cast<std::uint32_t>(spec.nodes) * static_cast<std::uint32_t>(spec.node.gpus); }
  std::size_t link_count() const { return link_edges.size(); }
  const Link& link(LinkId id) const { return graph[link_edges[id]]; }
  std::uint64_t cable_directions() const;  // links counted cable by cable

  // Stable, human names: "node3.gpu2", "leaf5(rail 5)", "node3.nic2->leaf5". Link faults match against link_name.
  std::string vertex_name(VertexId v) const;
  std::string link_name(LinkId id) const;

  VertexId gpu_vertex(GpuId g) const { return gpu_vertices[g]; }
  std::vector<VertexId> gpu_vertices;  // by GpuId
  std::vector<VertexId> nic_vertices;  // node * nics + nic
};

// Throws SpecError (message names the key at fault) when the pieces cannot be connected: too many nodes for the radix,
// a custom fabric with unreachable nodes or unknown ends.
Fabric build_fabric(const ClusterSpec& spec, const LinkParameters& parameters, const std::vector<LinkFault>& faults);

}  // namespace gridlock::topology
