#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "topology/builder.hpp"
#include "topology/error.hpp"

namespace gridlock::topology {
namespace {

// About 1 kB a GPU is built: this bound keeps a slip of the pen from taking the machine's memory.
constexpr std::int64_t most_devices = 1 << 20;

void check_node(const ClusterSpec& spec) {
  const NodeSpec& node = spec.node;
  if (spec.nodes < 1) throw SpecError("cluster.nodes", "a cluster has at least one node");
  if (node.gpus < 1) throw SpecError("cluster.node.gpus", "a node has at least one GPU");
  if (node.nics < 0) throw SpecError("cluster.node.nics", "a node cannot have fewer than 0 NICs");
  if (node.sockets < 1) throw SpecError("cluster.node.sockets", "a node has at least one CPU socket");
  const std::int64_t devices = std::int64_t{spec.nodes} * std::max({node.gpus, node.nics, node.sockets});
  if (devices > most_devices) {
    throw SpecError("cluster.nodes",
                    fmt::format("{} nodes of {} GPUs and {} NICs are more than can be built, the most is {} of either",
                                spec.nodes, node.gpus, node.nics, most_devices),
                    fmt::format("write at most nodes: {}", most_devices / std::max({node.gpus, node.nics, node.sockets})));
  }
  if (node.kind == NodeKind::nvswitch && node.nvlink_bytes_per_s <= 0) {
    throw SpecError("cluster.node.nvlink", "a node of kind nvswitch needs the NVLink bandwidth of a GPU",
                    "write kind: pcie for one without");
  }
  if (node.kind == NodeKind::pcie && node.pcie_bytes_per_s <= 0) {
    throw SpecError("cluster.node.pcie", "a node of kind pcie needs the bandwidth of its PCIe links");
  }
  if (node.kind == NodeKind::pcie && node.sockets > 1 && node.socket_bytes_per_s <= 0) {
    throw SpecError("cluster.node.socket_link", "the sockets of a node of kind pcie need a bandwidth between them",
                    "or write sockets: 1");
  }
}

void check_network(const Builder& builder) {
  const ClusterSpec& spec = builder.fabric.spec;
  if (spec.fabric.kind == FabricKind::none) return;
  if (spec.node.nics == 0) {
    throw SpecError("cluster.node.nics", "nodes without NICs cannot be joined by a fabric",
                    "give the node NICs, or write kind: none");
  }
  if (spec.node.pcie_bytes_per_s <= 0) {
    throw SpecError("cluster.node.pcie", "NICs need PCIe links to the GPUs, and these a bandwidth");
  }
  if (spec.fabric.kind != FabricKind::custom && builder.nic_wire() <= 0) {
    throw SpecError("cluster.fabric.nic", "the NICs have no bandwidth", "write nic: 400Gbps, or a node with one");
  }
}

}  // namespace

Fabric build_fabric(const ClusterSpec& spec, const LinkParameters& parameters, const std::vector<LinkFault>& faults) {
  Fabric fabric;
  fabric.spec = spec;
  Builder builder(fabric, parameters);
  check_node(spec);
  check_network(builder);
  if (is_tree(spec.fabric.kind)) fabric.plan = plan_tree(spec, leaf_layout(spec));  // before anything of size is built

  for (int node = 0; node < spec.nodes; ++node) {
    spec.node.kind == NodeKind::nvswitch ? add_nvswitch_node(builder, node) : add_pcie_node(builder, node);
    if (node > 0) continue;
    fabric.links_per_node = static_cast<std::uint32_t>(builder.links.size());
    fabric.vertices_per_node = static_cast<std::uint32_t>(builder.vertices.size());
    builder.vertices.reserve(static_cast<std::size_t>(fabric.vertices_per_node) * spec.nodes);
    builder.links.reserve(static_cast<std::size_t>(fabric.links_per_node + 2 * spec.node.nics) * spec.nodes);
  }
  if (is_tree(spec.fabric.kind)) add_tree(builder, fabric.plan);
  if (spec.fabric.kind == FabricKind::custom) add_custom(builder);
  fabric.connect(builder.vertices, builder.links);
  apply_faults(fabric, faults);
  return fabric;
}

}  // namespace gridlock::topology
