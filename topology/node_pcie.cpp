// A node without NVLink: all traffic between its GPUs crosses PCIe switches and CPU sockets.
#include <algorithm>

#include "topology/builder.hpp"

namespace gridlock::topology {
namespace {

// `count` things in order, spread over `places` in order: place of thing i.
int spread(int i, int count, int places) { return static_cast<int>(std::int64_t{i} * places / count); }

}  // namespace

void add_devices_and_pcie(Builder& builder, int node) {
  const NodeSpec& spec = builder.fabric.spec.node;
  auto add = [&](VertexKind kind, int index, int rail = -1) { return builder.add_vertex({kind, node, index, rail, 1}); };
  std::vector<VertexId> gpus, switches, sockets, nics;
  for (int i = 0; i < spec.gpus; ++i) gpus.push_back(add(VertexKind::gpu, i));
  for (int i = 0; i < spec.nics; ++i) nics.push_back(add(VertexKind::nic, i, builder.fabric.has_rails() ? i : -1));
  builder.fabric.gpu_vertices.insert(builder.fabric.gpu_vertices.end(), gpus.begin(), gpus.end());
  builder.fabric.nic_vertices.insert(builder.fabric.nic_vertices.end(), nics.begin(), nics.end());
  if (spec.pcie_bytes_per_s <= 0) return;

  const int switch_count = std::min(spec.gpus, std::max(spec.sockets, spec.nics));
  for (int i = 0; i < switch_count; ++i) switches.push_back(add(VertexKind::pcie_switch, i));
  for (int i = 0; i < spec.sockets; ++i) sockets.push_back(add(VertexKind::socket, i));

  auto join = [&](VertexId a, VertexId b) { builder.join(a, b, LinkKind::pcie, spec.pcie_bytes_per_s); };
  for (int i = 0; i < spec.gpus; ++i) join(gpus[i], switches[spread(i, spec.gpus, switch_count)]);
  for (int i = 0; i < spec.nics; ++i) join(nics[i], switches[spread(gpu_beside_nic(spec, i), spec.gpus, switch_count)]);
  for (int i = 0; i < switch_count; ++i) join(switches[i], sockets[spread(i, switch_count, spec.sockets)]);
  if (spec.socket_bytes_per_s <= 0) return;
  for (int i = 0; i < spec.sockets; ++i) {
    for (int j = i + 1; j < spec.sockets; ++j) builder.join(sockets[i], sockets[j], LinkKind::socket, spec.socket_bytes_per_s);
  }
}

void add_pcie_node(Builder& builder, int node) { add_devices_and_pcie(builder, node); }

}  // namespace gridlock::topology
