#include "topology/builder.hpp"

namespace gridlock::topology {

Builder::Builder(Fabric& f, const LinkParameters& p) : fabric(f), parameters(p) {}

VertexId Builder::add_vertex(const Vertex& vertex) {
  vertices.push_back(vertex);
  return static_cast<VertexId>(vertices.size() - 1);
}

void Builder::join(VertexId a, VertexId b, LinkKind kind, double wire, std::uint32_t cables, std::int32_t lane) {
  add_link(a, b, kind, wire, latency(kind), cables, lane);
  add_link(b, a, kind, wire, latency(kind), cables, lane);
}

void Builder::add_link(VertexId a, VertexId b, LinkKind kind, double wire, double latency_s, std::uint32_t cables,
                       std::int32_t lane) {
  Link link;
  link.id = static_cast<LinkId>(links.size());
  link.cables = cables;
  link.lane = lane;
  link.kind = kind;
  link.bytes_per_s = wire * cables * efficiency(kind, cables);
  link.latency_s = latency_s;
  links.push_back({a, b, link});
}

double Builder::latency(LinkKind kind) const {
  switch (kind) {
    case LinkKind::nvlink:
      return parameters.nvlink_latency_s;
    case LinkKind::pcie:
    case LinkKind::socket:
      return parameters.pcie_latency_s;
    case LinkKind::nic:
      return parameters.nic_latency_s;
    case LinkKind::uplink:
    case LinkKind::core:
    case LinkKind::custom:
      break;
  }
  return parameters.switch_latency_s;
}

double Builder::efficiency(LinkKind kind, std::uint32_t cables) const {
  switch (kind) {
    case LinkKind::nvlink:
      return parameters.nvlink_efficiency;
    case LinkKind::pcie:
    case LinkKind::socket:
      return parameters.pcie_efficiency;
    case LinkKind::nic:
      return parameters.nic_efficiency;
    case LinkKind::uplink:
    case LinkKind::core:
    case LinkKind::custom:
      break;
  }
  return parameters.switch_efficiency * (cables > 1 ? parameters.adaptive_efficiency : 1);
}

double Builder::nic_wire() const {
  const ClusterSpec& spec = fabric.spec;
  return spec.fabric.nic_bytes_per_s > 0 ? spec.fabric.nic_bytes_per_s : spec.node.nic_bytes_per_s;
}

}  // namespace gridlock::topology
