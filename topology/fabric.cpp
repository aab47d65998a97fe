#include "topology/fabric.hpp"

#include <fmt/format.h>

#include <utility>

namespace gridlock::topology {

// adjacency_list has no move of its own and would copy, which leaves link_edges pointing into the old graph. Swapping its two
// containers moves the nodes of the edge list as they are.
Fabric::Fabric(Fabric&& other) noexcept { *this = std::move(other); }

Fabric& Fabric::operator=(Fabric&& other) noexcept {
  graph.m_edges.swap(other.graph.m_edges);
  graph.m_vertices.swap(other.graph.m_vertices);
  spec = std::move(other.spec);
  link_edges = std::move(other.link_edges);
  gpu_vertices = std::move(other.gpu_vertices);
  nic_vertices = std::move(other.nic_vertices);
  links_per_node = other.links_per_node;
  vertices_per_node = other.vertices_per_node;
  plan = other.plan;
  custom_names = std::move(other.custom_names);
  return *this;
}

std::uint64_t Fabric::cable_directions() const {
  std::uint64_t total = 0;
  for (LinkId id = 0; id < link_count(); ++id) total += link(id).cables;
  return total;
}

std::string Fabric::vertex_name(VertexId v) const {
  const Vertex& vertex = graph[v];
  const std::string rail = vertex.rail >= 0 ? fmt::format("rail{}.", vertex.rail) : "";
  switch (vertex.kind) {
    case VertexKind::gpu:
      return fmt::format("node{}.gpu{}", vertex.node, vertex.index);
    case VertexKind::nvswitch:
      return fmt::format("node{}.nvswitch", vertex.node);
    case VertexKind::pcie_switch:
      return fmt::format("node{}.pcie{}", vertex.node, vertex.index);
    case VertexKind::socket:
      return fmt::format("node{}.socket{}", vertex.node, vertex.index);
    case VertexKind::nic:
      return fmt::format("node{}.nic{}", vertex.node, vertex.index);
    case VertexKind::leaf:
      return fmt::format("leaf{}", vertex.index);
    case VertexKind::spine:
      if (!collapsed()) return fmt::format("spine{}", vertex.index);
      return plan.pods > 1 ? fmt::format("{}pod{}.spines", rail, vertex.index) : rail + "spines";
    case VertexKind::core:
      return collapsed() ? rail + "cores" : fmt::format("core{}", vertex.index);
    case VertexKind::custom:
      break;
  }
  return custom_names[static_cast<std::size_t>(vertex.index)];
}

std::string Fabric::link_name(LinkId id) const {
  std::string name = vertex_name(source(id)) + "->" + vertex_name(target(id));
  if (link(id).lane >= 0) name += fmt::format("#{}", link(id).lane);
  return name;
}

}  // namespace gridlock::topology
