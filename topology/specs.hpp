// What the user says about the machine: plain data, already validated (all values finite, positive where they must be).
// Units: bytes per second of one direction, seconds, bytes, FLOP/s. Wire rates; payload efficiencies stand in LinkParameters.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gridlock::topology {

// One accelerator. `peak_flops` is the dense peak by precision name ("bf16", "fp16", "fp8", "tf32", "fp32").
struct GpuSpec {
  std::string name;
  std::map<std::string, double> peak_flops;
  double hbm_bytes = 0;
  double hbm_bytes_per_s = 0;
  int sms = 0;
};

enum class NodeKind : std::uint8_t {
  nvswitch,  // every GPU on one non-blocking NVSwitch plane
  pcie,      // no NVLink: GPU traffic goes through PCIe switches and CPU sockets
  mesh,      // NVLink cables between pairs of GPUs (DGX-1, bridges); other pairs as kind pcie
};

// NVLinks that join two GPUs of a node of kind mesh.
struct NvlinkPair {
  int a = 0, b = 0;  // local GPUs
  int links = 1;
};

// One server. NICs are spread evenly over the GPUs in order; NIC i shares a PCIe switch with GPU i * gpus / nics, "the GPU
// beside it". There are min(gpus, max(sockets, nics)) PCIe switches, GPUs spread over them and they over the sockets in order;
// each joins its socket by one PCIe link. Every socket is joined to every other.
struct NodeSpec {
  std::string name;
  NodeKind kind = NodeKind::nvswitch;
  GpuSpec gpu;
  int gpus = 8;
  int nics = 8;
  int sockets = 2;
  double nvlink_bytes_per_s = 0;         // per direction, wire: of a GPU (kind nvswitch), of one link (mesh); 0 for kind pcie
  std::vector<NvlinkPair> nvlink_pairs;  // kind mesh only
  double pcie_bytes_per_s = 0;           // GPU or NIC to its PCIe switch, switch to socket, per direction
  double socket_bytes_per_s = 0;         // between CPU sockets, per direction; 0 leaves them unjoined (kind nvswitch only)
  double nic_bytes_per_s = 0;            // the NIC this node ships with; FabricSpec::nic_bytes_per_s overrides it when set
};

enum class FabricKind : std::uint8_t {
  none,           // one node, or nodes that never talk
  fat_tree,       // all NICs of a node on one leaf
  rail_fat_tree,  // NIC r of each node of a scalable unit on rail leaf r; leaves joined by spines
  rail_only,      // as rail_fat_tree, but spines join leaves of one rail only: rails never meet in the fabric
  custom,         // an explicit edge list
};

enum class RoutingKind : std::uint8_t {
  adaptive,  // per-packet spraying: parallel equal-cost uplinks act as one trunk
  fixed,     // destination-modulo, as InfiniBand's static routing ("static" in YAML)
  ecmp,      // hash of channel, peers and queue pair picks one of the equal-cost paths
};

// One cable of a custom fabric. Ends are "node3.nic0" or any other name, which then is a switch.
struct CustomEdge {
  std::string from, to;
  double bytes_per_s = 0;  // per direction, wire
  double latency_s = 0;    // 0 = LinkParameters' of a NIC's cable or of a cable between switches
  bool duplex = true;
};

struct FabricSpec {
  FabricKind kind = FabricKind::rail_fat_tree;
  double nic_bytes_per_s = 0;
  int tiers = 2;          // switch levels: 2 = leaf, spine; 3 = leaf, spine, core
  int leaf_radix = 64;    // ports at nic speed; split down:up by the oversubscription
  int spine_radix = 64;   // ports of a spine, and of a core unless core_radix says otherwise
  int core_radix = 0;     // 0 = spine_radix
  int scalable_unit = 0;  // nodes that share one set of leaves; 0 = all nodes, or as many as the leaf's down ports allow
  double leaf_oversubscription = 1;
  double spine_oversubscription = 1;
  RoutingKind routing = RoutingKind::adaptive;
  bool pxn = true;  // cross rails over NVLink to the GPU whose NIC is on the receiver's rail
  // A connection (one channel to one peer) spreads its bytes evenly over so many queue pairs, which ecmp hashes one by one; each
  // carries at most queue_pair_bytes_per_s (0 = what the links give).
  int queue_pairs = 1;
  double queue_pair_bytes_per_s = 0;
  bool sharp = false;  // the switches reduce (CollNet; NVIDIA SHARP)
  std::vector<CustomEdge> edges;
};

enum class PlacementKind : std::uint8_t { packed, scattered, listed };

struct PlacementSpec {
  PlacementKind kind = PlacementKind::packed;
  std::vector<int> nodes;  // listed: physical node of each logical node, in rank order
};

// Payload share of the wire rate and latency of one crossing, by kind of link. From the profile; sources stand there.
// nvlink: GPU - NVSwitch; pcie: GPU, NIC or socket - PCIe switch, and socket - socket; nic: NIC - leaf; switch: between switches.
struct LinkParameters {
  double nvlink_efficiency = 1, pcie_efficiency = 1, nic_efficiency = 1, switch_efficiency = 1;
  double adaptive_efficiency = 1;  // of a trunk of sprayed uplinks, on top of switch_efficiency
  double nvlink_latency_s = 0, pcie_latency_s = 0, nic_latency_s = 0, switch_latency_s = 0;
};

// A link slowed on purpose; factor multiplies its bandwidth (0 to 1; 0: down). `match` is a glob over the names of cables:
// "a->b" is one direction, "a:b" is both directions of the cable between a and b, so "leaf3:*" is every cable of leaf3.
// Names are the same under every routing: a cable that is part of a trunk is named after the two switches it joins
// ("leaf3->spine7"). Where several cables join the same two, "#k" picks one ("leaf3->spine7#1"), else all of them match.
struct LinkFault {
  std::string match;
  double factor = 1;
};

struct ClusterSpec {
  int nodes = 1;
  NodeSpec node;
  FabricSpec fabric;
  PlacementSpec placement;
  bool allow_idle_gpus = false;
};

}  // namespace gridlock::topology
