#include "topology/dot.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <map>
#include <ostream>
#include <string>
#include <tuple>

namespace gridlock::topology {
namespace {

const char* shape(VertexKind kind) {
  switch (kind) {
    case VertexKind::gpu:
      return "box";
    case VertexKind::nic:
      return "oval";
    default:
      return "diamond";
  }
}

std::string end_name(const Fabric& fabric, VertexId v, DotDetail detail) {
  const Vertex& vertex = fabric.graph[v];
  return detail == DotDetail::nodes && vertex.node >= 0 ? fmt::format("node{}", vertex.node) : fabric.vertex_name(v);
}

void write_vertices(std::ostream& out, const Fabric& fabric, DotDetail detail) {
  for (int node = 0; node < fabric.spec.nodes; ++node) {
    if (detail == DotDetail::nodes) {
      fmt::print(out, "  \"node{}\" [shape=box3d];\n", node);
      continue;
    }
    fmt::print(out, "  subgraph \"cluster_node{0}\" {{\n    label=\"node{0}\";\n", node);
    const VertexId first = fabric.vertices_per_node * static_cast<VertexId>(node);
    for (VertexId v = first; v < first + fabric.vertices_per_node; ++v) {
      fmt::print(out, "    \"{}\" [shape={}];\n", fabric.vertex_name(v), shape(fabric.graph[v].kind));
    }
    fmt::print(out, "  }}\n");
  }
  for (VertexId v = fabric.vertices_per_node * static_cast<VertexId>(fabric.spec.nodes); v < num_vertices(fabric.graph); ++v) {
    fmt::print(out, "  \"{}\" [shape=hexagon", fabric.vertex_name(v));
    if (fabric.graph[v].members > 1) fmt::print(out, ", label=\"{} ({})\"", fabric.vertex_name(v), fabric.graph[v].members);
    fmt::print(out, "];\n");
  }
}

void write_edge(std::ostream& out, const std::string& from, const std::string& to, double bytes_per_s, std::uint32_t cables,
                bool both) {
  fmt::print(out, "  \"{}\" -> \"{}\" [label=\"{:.4g} GB/s", from, to, bytes_per_s / 1e9);
  if (cables > 1) fmt::print(out, " in {} cables", cables);
  fmt::print(out, "\"{}];\n", both ? ", dir=both" : "");
}

// Links between the same two drawn ends are one edge: their capacities and cables added up.
void write_edges(std::ostream& out, const Fabric& fabric, DotDetail detail) {
  struct Sum {
    double bytes_per_s = 0;
    std::uint32_t cables = 0;
  };
  std::map<std::pair<std::string, std::string>, Sum> edges;
  for (LinkId id = 0; id < fabric.link_count(); ++id) {
    std::pair ends{end_name(fabric, fabric.source(id), detail), end_name(fabric, fabric.target(id), detail)};
    if (ends.first == ends.second) continue;  // inside a node that is drawn as one box
    Sum& sum = edges[std::move(ends)];
    sum.bytes_per_s += fabric.link(id).bytes_per_s;
    sum.cables += fabric.link(id).cables;
  }
  for (const auto& [ends, sum] : edges) {
    const auto back = edges.find({ends.second, ends.first});
    const bool both = back != edges.end() && back->second.bytes_per_s == sum.bytes_per_s && back->second.cables == sum.cables;
    if (both && ends.second < ends.first) continue;  // drawn with its other direction
    write_edge(out, ends.first, ends.second, sum.bytes_per_s, sum.cables, both);
  }
}

}  // namespace

void write_dot(std::ostream& out, const Fabric& fabric, DotDetail detail) {
  fmt::print(out, "digraph fabric {{\n  rankdir=BT;\n");
  write_vertices(out, fabric, detail);
  write_edges(out, fabric, detail);
  fmt::print(out, "}}\n");
}

}  // namespace gridlock::topology
