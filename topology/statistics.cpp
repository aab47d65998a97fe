#include "topology/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "topology/error.hpp"

namespace gridlock::topology {
namespace {

constexpr std::array<std::string_view, 9> vertex_names{"GPU",  "NVSwitch plane", "PCIe switch", "CPU socket", "NIC",
                                                       "leaf", "spine",          "core",        "switch"};
constexpr std::array<std::string_view, 7> link_names{"NVLink", "PCIe",      "socket link", "NIC cable",
                                                     "uplink", "core link", "switch link"};

std::vector<VertexCount> count_vertices(const Fabric& fabric) {
  std::array<VertexCount, vertex_names.size()> counts{};
  for (VertexId v = 0; v < num_vertices(fabric.graph); ++v) {
    const Vertex& vertex = fabric.graph[v];
    VertexCount& count = counts[static_cast<std::size_t>(vertex.kind)];
    count.kind = vertex.kind;
    count.devices += vertex.members;
    ++count.vertices;
  }
  std::vector<VertexCount> present;
  std::copy_if(counts.begin(), counts.end(), std::back_inserter(present), [](const VertexCount& c) { return c.vertices > 0; });
  return present;
}

std::vector<LinkCount> count_links(const Fabric& fabric) {
  std::array<LinkCount, link_names.size()> counts{};
  for (LinkId id = 0; id < fabric.link_count(); ++id) {
    const Link& link = fabric.link(id);
    LinkCount& count = counts[static_cast<std::size_t>(link.kind)];
    count.kind = link.kind;
    count.cables += link.cables;
    count.slowest_bytes_per_s = count.links == 0 ? link.bytes_per_s : std::min(count.slowest_bytes_per_s, link.bytes_per_s);
    count.fastest_bytes_per_s = std::max(count.fastest_bytes_per_s, link.bytes_per_s);
    ++count.links;
  }
  std::vector<LinkCount> present;
  std::copy_if(counts.begin(), counts.end(), std::back_inserter(present), [](const LinkCount& c) { return c.links > 0; });
  return present;
}

double injection(const Fabric& fabric) {
  const std::size_t first_half = static_cast<std::size_t>(fabric.spec.nodes / 2) * fabric.spec.node.nics;
  double total = 0;
  for (std::size_t i = 0; i < first_half; ++i) {
    for (auto [edge, end] = out_edges(fabric.nic_vertices[i], fabric.graph); edge != end; ++edge) {
      if (fabric.graph[*edge].kind == LinkKind::nic) total += fabric.graph[*edge].bytes_per_s;
    }
  }
  return total;
}

}  // namespace

std::string_view name(VertexKind kind) { return vertex_names[static_cast<std::size_t>(kind)]; }
std::string_view name(LinkKind kind) { return link_names[static_cast<std::size_t>(kind)]; }

Statistics statistics(const Fabric& fabric) {
  return {count_vertices(fabric), count_links(fabric), bisection_bytes_per_s(fabric), injection(fabric)};
}

std::vector<SampleRoute> sample_routes(const Fabric& fabric, const Router& router) {
  const auto per_node = static_cast<GpuId>(fabric.gpus_per_node());
  const GpuId last = fabric.gpu_count() - 1;
  std::vector<std::pair<std::string, GpuId>> wanted;
  if (per_node > 1) wanted.emplace_back("same node", 1);
  if (fabric.spec.nodes > 1) {
    wanted.emplace_back(fabric.has_rails() ? "other node, same rail" : "other node", per_node);
    if (per_node > 1) wanted.emplace_back(fabric.has_rails() ? "other node, other rail" : "other node, next GPU", per_node + 1);
    if (last > per_node + 1) wanted.emplace_back("last GPU", last);
  }
  std::vector<SampleRoute> routes;
  for (const auto& [title, dst] : wanted) {
    try {
      routes.push_back({title, 0, dst, router.path(0, dst)});
    } catch (const SpecError&) {
      continue;  // nodes of a cluster without fabric, rails that never meet: no route to show
    }
  }
  return routes;
}

std::string describe(const Fabric& fabric, const Path& path) {
  const bool splits = std::any_of(path.links.begin(), path.links.end(), [](const LinkShare& l) { return l.share < 1; });
  std::string text;
  for (const auto& [id, share] : path.links) {
    if (splits) {
      text += fmt::format("{}{}", text.empty() ? "" : ", ", fabric.link_name(id));
      if (share < 1) text += fmt::format(" ({:.3g} %)", 100 * share);
    } else {
      if (text.empty()) text = fabric.vertex_name(fabric.source(id));
      text += " -> " + fabric.vertex_name(fabric.target(id));
    }
  }
  return text;
}

double bottleneck_bytes_per_s(const Fabric& fabric, const Path& path) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [id, share] : path.links) least = std::min(least, fabric.link(id).bytes_per_s / share);
  return least;
}

}  // namespace gridlock::topology
