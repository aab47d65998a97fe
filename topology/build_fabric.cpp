#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>

#include "topology/builder.hpp"
#include "topology/error.hpp"

namespace gridlock::topology {
namespace {

// About 1 kB a GPU is built: this bound keeps a slip of the pen from taking the machine's memory.
constexpr std::int64_t most_devices = 1 << 20;

// Rings over the pairs are searched for among all orders of the GPUs.
constexpr int most_mesh_gpus = 16;

void check_nvlink_pairs(const NodeSpec& node) {
  if (node.kind != NodeKind::mesh) {
    if (!node.nvlink_pairs.empty())
      throw SpecError("cluster.node.nvlink_pairs", "pairs of GPUs are joined in nodes of kind mesh only", "write kind: mesh");
    return;
  }
  if (node.nvlink_bytes_per_s <= 0)
    throw SpecError("cluster.node.nvlink", "a node of kind mesh needs the bandwidth of one NVLink", "nvlink: 25GBps");
  if (node.nvlink_pairs.empty())
    throw SpecError("cluster.node", "a node of kind mesh needs 'nvlink_pairs'", "nvlink_pairs: [{a: 0, b: 1, links: 4}]");
  if (node.gpus > most_mesh_gpus)
    throw SpecError("cluster.node.gpus", fmt::format("a mesh of {} GPUs: the most is {}", node.gpus, most_mesh_gpus),
                    "GPUs on NVSwitches are kind nvswitch");
  std::set<std::pair<int, int>> seen;
  for (std::size_t i = 0; i < node.nvlink_pairs.size(); ++i) {
    const auto& [a, b, links] = node.nvlink_pairs[i];
    const std::string at = fmt::format("cluster.node.nvlink_pairs.{}", i);
    if (std::max(a, b) >= node.gpus || std::min(a, b) < 0)
      throw SpecError(at, fmt::format("NVLink joins GPUs {} and {}, but the node has GPUs 0 to {}", a, b, node.gpus - 1));
    if (a == b) throw SpecError(at, fmt::format("NVLink joins GPU {} to itself", a));
    if (links < 1) throw SpecError(at, "a pair has at least one link");
    if (!seen.insert(std::minmax(a, b)).second)
      throw SpecError(at, fmt::format("GPUs {} and {} are joined twice", a, b), "add their links up");
  }
}

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
  const std::string_view kind = node.kind == NodeKind::mesh ? "mesh" : "pcie";
  if (node.kind != NodeKind::nvswitch && node.pcie_bytes_per_s <= 0) {
    throw SpecError("cluster.node.pcie", fmt::format("a node of kind {} needs the bandwidth of its PCIe links", kind));
  }
  if (node.kind != NodeKind::nvswitch && node.sockets > 1 && node.socket_bytes_per_s <= 0) {
    throw SpecError("cluster.node.socket_link",
                    fmt::format("the sockets of a node of kind {} need a bandwidth between them", kind), "or write sockets: 1");
  }
  check_nvlink_pairs(node);
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

void add_node(Builder& builder, int node) {
  switch (builder.fabric.spec.node.kind) {
    case NodeKind::nvswitch:
      return add_nvswitch_node(builder, node);
    case NodeKind::pcie:
      return add_pcie_node(builder, node);
    case NodeKind::mesh:
      return add_mesh_node(builder, node);
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
    add_node(builder, node);
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
