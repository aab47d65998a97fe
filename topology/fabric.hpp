// The machine as a directed graph: vertices are devices, edges are one direction of a cable or of a trunk of cables.
// A Fabric is built once, then only read. GPU g is local GPU g % gpus_per_node of physical node g / gpus_per_node.
//
// Under adaptive routing the equal switches of a tier are one vertex per plane (all spines; the spines of one pod of a
// three-tier tree; those of one rail of a rail-only fabric) and the parallel cables to them one trunk: with ideal spraying
// every cable of a trunk carries the same load, so nothing is lost. Under static and ecmp routing every switch is a vertex and
// every cable a link. Custom fabrics are never collapsed.
#pragma once

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "topology/specs.hpp"
#include "topology/tree_plan.hpp"

namespace gridlock::topology {

using LinkId = std::uint32_t;
using VertexId = std::uint32_t;
using GpuId = std::uint32_t;

enum class VertexKind : std::uint8_t { gpu, nvswitch, pcie_switch, socket, nic, leaf, spine, core, custom };
enum class LinkKind : std::uint8_t { nvlink, pcie, socket, nic, uplink, core, custom };

struct Vertex {
  VertexKind kind = VertexKind::gpu;
  std::int32_t node = -1;  // physical node, -1 for switches of the fabric
  std::int32_t index =
      0;  // local index in the node, or index among the switches of its kind; of a collapsed spine vertex: its pod
  std::int32_t rail = -1;     // of a leaf of a rail fabric, of a spine or core of a rail-only one, and of a NIC in these; else -1
  std::uint32_t members = 1;  // switches that a collapsed vertex stands for
};

struct Link {
  LinkId id = 0;
  std::uint32_t cables = 1;  // parallel cables that a trunk stands for
  std::int32_t lane = -1;    // number among the links that join the same two switches; -1 where it is the only one
  LinkKind kind = LinkKind::nvlink;
  double bytes_per_s = 0;  // payload capacity of all cables together, after efficiency and faults
  double latency_s = 0;
};

// Compressed rows: a fabric does not change once built, and an adjacency list of 131,072 GPUs takes four times the time and
// memory.
using Graph = boost::compressed_sparse_row_graph<boost::directedS, Vertex, Link, boost::no_property, VertexId, LinkId>;

// A link before it is an edge of the graph.
struct Cable {
  VertexId from, to;
  Link link;
};

class Fabric {
 public:
  Graph graph;
  ClusterSpec spec;
  std::vector<Graph::edge_descriptor> link_edges;  // by LinkId

  // Makes the graph of these vertices and links, replacing what was there. VertexIds and LinkIds are the positions.
  void connect(std::span<const Vertex> vertices, std::span<const Cable> links);

  int gpus_per_node() const { return spec.node.gpus; }
  std::uint32_t gpu_count() const { return static_cast<std::uint32_t>(spec.nodes) * static_cast<std::uint32_t>(spec.node.gpus); }
  std::size_t link_count() const { return link_edges.size(); }
  const Link& link(LinkId id) const { return graph[link_edges[id]]; }
  VertexId source(LinkId id) const { return link_edges[id].src; }
  VertexId target(LinkId id) const { return boost::target(link_edges[id], graph); }
  std::uint64_t cable_directions() const;  // links counted cable by cable

  // Stable, human names: "node3.gpu2", "leaf5", "node3.nic2->leaf5", "leaf5->spine7"; a collapsed vertex is "spines",
  // "pod2.spines", "rail3.spines" or "cores". LinkFault says how these names are matched.
  std::string vertex_name(VertexId v) const;
  std::string link_name(LinkId id) const;

  VertexId gpu_vertex(GpuId g) const { return gpu_vertices[g]; }
  std::vector<VertexId> gpu_vertices;  // by GpuId
  std::vector<VertexId> nic_vertices;  // node * nics + nic

  // All nodes are alike: link l of node 0 is link l + n * links_per_node of node n, and so for vertices. Nodes come first.
  std::uint32_t links_per_node = 0, vertices_per_node = 0;
  TreePlan plan;                          // of the tree fabrics, else empty (plan.leaves() == 0)
  std::vector<std::string> custom_names;  // of custom switches, by Vertex::index
  bool collapsed() const { return plan.leaves() > 0 && spec.fabric.routing == RoutingKind::adaptive; }
  // Rail fabrics: NIC r of a node hangs on a leaf of rail r.
  bool has_rails() const { return spec.fabric.kind == FabricKind::rail_fat_tree || spec.fabric.kind == FabricKind::rail_only; }
};

// Throws SpecError (message names the key at fault) when the pieces cannot be connected: too many nodes for the radix,
// a custom fabric with unreachable nodes or unknown ends, a fault that matches no link.
Fabric build_fabric(const ClusterSpec& spec, const LinkParameters& parameters, const std::vector<LinkFault>& faults);

}  // namespace gridlock::topology
