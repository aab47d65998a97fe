#include "topology/fabric.hpp"

#include <fmt/format.h>

#include <boost/iterator/transform_iterator.hpp>
#include <utility>

namespace gridlock::topology {

void Fabric::connect(std::span<const Vertex> vertices, std::span<const Cable> links) {
  const auto ends = [](const Cable& cable) { return std::pair(cable.from, cable.to); };
  const auto property = [](const Cable& cable) -> const Link& { return cable.link; };
  graph = Graph(boost::edges_are_unsorted_multi_pass, boost::make_transform_iterator(links.begin(), ends),
                boost::make_transform_iterator(links.end(), ends), boost::make_transform_iterator(links.begin(), property),
                static_cast<VertexId>(vertices.size()));
  for (VertexId v = 0; v < vertices.size(); ++v) graph[v] = vertices[v];
  link_edges.resize(links.size());
  for (auto [edge, end] = edges(graph); edge != end; ++edge) link_edges[graph[*edge].id] = *edge;
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
