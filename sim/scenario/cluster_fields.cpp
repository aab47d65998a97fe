// Keys of `cluster:` and of the files in hardware/.
#include "sim/scenario/declarations.hpp"

namespace gridlock::scenario {
namespace {

using topology::FabricKind;
using topology::NodeKind;
using topology::RoutingKind;

void describe_peaks(Fields& f, std::map<std::string, double>& peaks) {
  for (const char* precision : {"bf16", "fp16", "fp8", "fp4", "tf32", "fp32"}) {
    const auto found = peaks.find(precision);
    std::optional<double> peak = found == peaks.end() ? std::nullopt : std::optional(found->second);
    f.optional_quantity({precision, "dense peak, without sparsity"}, peak, Unit::flops, positive);
    if (peak) peaks[precision] = *peak;
  }
}

void describe_edge(Fields& f, topology::CustomEdge& edge) {
  f.text({"from", "one end: \"node3.nic0\", or any other name for a switch"}, edge.from, required);
  f.text({"to", "the other end"}, edge.to, required);
  f.quantity({"bandwidth", "wire rate of one direction"}, edge.bytes_per_s, Unit::network, required, positive);
  f.quantity({"latency", "of one crossing", "the profile's"}, edge.latency_s, Unit::seconds, 0, not_negative);
  f.boolean({"duplex", "the same in both directions"}, edge.duplex, true);
}

void describe_pair(Fields& f, topology::NvlinkPair& pair) {
  f.integer({"a", "one GPU"}, pair.a, required, {0, 1023});
  f.integer({"b", "the other"}, pair.b, required, {0, 1023});
  f.integer({"links", "NVLinks between them"}, pair.links, 1, {1, 64});
}

}  // namespace

void describe(Fields& f, topology::GpuSpec& gpu) {
  f.text({"name", "what reports call it", "the file's name"}, gpu.name, "inline");
  f.map({"peak", "dense peak by precision"}, true, [&](Fields& inner) { describe_peaks(inner, gpu.peak_flops); });
  f.quantity({"memory", "HBM capacity"}, gpu.hbm_bytes, Unit::bytes, required, positive);
  f.quantity({"memory_bandwidth", "HBM peak"}, gpu.hbm_bytes_per_s, Unit::bandwidth, required, positive);
  f.integer({"sms", "streaming multiprocessors"}, gpu.sms, required, {1, 10000});
}

void describe(Fields& f, topology::NodeSpec& node) {
  const topology::NodeSpec usual;
  f.text({"name", "what reports call it", "the file's name"}, node.name, "inline");
  f.choice<NodeKind>(
      {"kind", "nvswitch: every GPU on one NVSwitch plane; mesh: NVLink between pairs; pcie: through PCIe switches and sockets"},
      node.kind, usual.kind, {{"nvswitch", NodeKind::nvswitch}, {"pcie", NodeKind::pcie}, {"mesh", NodeKind::mesh}});
  f.reference({"gpu", "the accelerator"}, "hardware", [&](Fields& inner) { describe(inner, node.gpu); });
  f.integer({"gpus", "GPUs in one node"}, node.gpus, usual.gpus, {1, 1024});
  f.integer({"nics", "NICs in one node, spread evenly over the GPUs"}, node.nics, usual.nics, {0, 1024});
  f.integer({"sockets", "CPU sockets"}, node.sockets, usual.sockets, {1, 16});
  f.quantity({"nvlink", "NVLink wire rate, one direction: of a GPU (nvswitch) or of one link (mesh)", "needed but for kind pcie"},
             node.nvlink_bytes_per_s, Unit::bandwidth, 0, not_negative);
  f.list<topology::NvlinkPair>({"nvlink_pairs", "GPUs joined by NVLink cables, kind mesh"}, node.nvlink_pairs, describe_pair);
  f.quantity({"pcie", "wire rate between a GPU or NIC and its PCIe switch, one direction"}, node.pcie_bytes_per_s,
             Unit::bandwidth, required, positive);
  f.quantity({"socket_link", "between CPU sockets, one direction"}, node.socket_bytes_per_s, Unit::bandwidth, required, positive);
  f.quantity({"nic", "port rate of one NIC"}, node.nic_bytes_per_s, Unit::network, required, positive);
}

void describe(Fields& f, topology::FabricSpec& fabric) {
  const topology::FabricSpec usual;
  f.choice<FabricKind>({"kind", "how the nodes are joined"}, fabric.kind, usual.kind,
                       {{"none", FabricKind::none},
                        {"fat_tree", FabricKind::fat_tree},
                        {"rail_fat_tree", FabricKind::rail_fat_tree},
                        {"rail_only", FabricKind::rail_only},
                        {"custom", FabricKind::custom}});
  f.quantity({"nic", "port rate of one NIC", "the node's own NIC"}, fabric.nic_bytes_per_s, Unit::network, 0, positive);
  f.integer({"tiers", "switch levels: 2 = leaf and spine, 3 = leaf, spine and core", "the fewest that hold all nodes"},
            fabric.tiers, usual.tiers, {2, 3});
  f.integer({"leaf_radix", "ports of a leaf switch at NIC speed, split down : up by the oversubscription"}, fabric.leaf_radix,
            usual.leaf_radix, {2, 65536});
  f.integer({"spine_radix", "ports of a spine switch at NIC speed"}, fabric.spine_radix, usual.spine_radix, {2, 65536});
  f.integer({"core_radix", "ports of a core switch at NIC speed", "spine_radix"}, fabric.core_radix, 0, {2, 65536});
  f.integer({"scalable_unit", "nodes that share one set of leaves", "as many as a leaf has ports for"}, fabric.scalable_unit,
            usual.scalable_unit, {1, most_gpus});
  f.map({"oversubscription", "bandwidth down : up"}, false, [&](Fields& inner) {
    inner.quantity({"leaf", "of a leaf"}, fabric.leaf_oversubscription, Unit::ratio, usual.leaf_oversubscription, {1, 1024});
    inner.quantity({"spine", "of a spine, with 3 tiers"}, fabric.spine_oversubscription, Unit::ratio,
                   usual.spine_oversubscription, {1, 1024});
  });
  f.choice<RoutingKind>(
      {"routing", "adaptive: packets sprayed over equal paths; static: by destination; ecmp: by a hash of the flow"},
      fabric.routing, usual.routing,
      {{"adaptive", RoutingKind::adaptive}, {"static", RoutingKind::fixed}, {"ecmp", RoutingKind::ecmp}});
  f.boolean({"pxn", "cross rails over NVLink, through the GPU whose NIC is on the receiver's rail"}, fabric.pxn, usual.pxn);
  f.integer({"queue_pairs", "queue pairs over which a connection spreads its bytes; ecmp hashes each"}, fabric.queue_pairs,
            usual.queue_pairs, {1, 128});
  f.quantity({"queue_pair_rate", "most that one queue pair (or socket) carries", "what the links give"},
             fabric.queue_pair_bytes_per_s, Unit::network, 0, positive);
  f.boolean({"sharp", "the switches reduce: CollNet (NVIDIA SHARP)"}, fabric.sharp, usual.sharp);
  f.list<topology::CustomEdge>({"edges", "cables of kind custom"}, fabric.edges, describe_edge);
}

void describe(Fields& f, topology::ClusterSpec& cluster) {
  f.integer({"nodes", "number of nodes"}, cluster.nodes, required, {1, 2147483647});
  f.reference({"node", "one server"}, "hardware", [&](Fields& inner) { describe(inner, cluster.node); });
  f.map({"fabric", "the network between the nodes", "needed with several nodes"}, cluster.nodes > 1,
        [&](Fields& inner) { describe(inner, cluster.fabric); });
  f.custom({"placement", "which node a group of ranks lands on", "packed"}, placement_type(cluster.placement), false);
  f.choice<bool>({"idle", "whether GPUs may be left without a rank"}, cluster.allow_idle_gpus, false,
                 {{"error", false}, {"allow", true}});
}

}  // namespace gridlock::scenario
