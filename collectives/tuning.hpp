// Which algorithm and protocol a call uses, and its terms, by the rules of NCCL 2.28's tuner:
//
//   estimate = latency + bytes / bandwidth;   the (algorithm, protocol) of the smallest estimate wins
//
// The latency is a base plus hops times latency per hop; the bandwidth is channels times speed per channel, refined by protocol
// (collectives/nccl_constants.hpp has the tables, one file an algorithm has its equations). Source: NVIDIA/nccl v2.28.9-1
// src/graph/tuning.cc.
//
// What NCCL believes decides the choice; what happens decides the time. Each algorithm has both: its latency and bus speed as
// the tuner counts them, and as they are where measurements differ (real depth of a tree, hops over PCIe, packets of LL), plus
// the time to fill the pipeline of chunks, of which the tuner knows nothing.
//
// Worked example: all-gather, 2 nodes of one rank, plain sockets: Ring latencies 6.6 + 5.0, 14.0 + 8.5 and 8.4 + 14 us for
// LL, LL128 and Simple.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectives/collective.hpp"
#include "collectives/override.hpp"
#include "topology/router.hpp"

namespace gridlock::collectives {

// GPU generation as NCCL's tables index it.
enum class Generation : std::uint8_t { volta, ampere, hopper, blackwell };
enum class Cpu : std::uint8_t { intel, amd };

// What the choice depends on. "Node" = NVLink domain.
struct CommunicatorShape {
  int ranks = 2;
  int nodes = 1;
  int ranks_per_node = 2;             // the most of any node
  bool nvlink = true;                 // false: ranks of one node meet over PCIe
  double path_latency_s = 0;          // of the links of the slowest crossing from a node to the next (NIC, cables, switches)
  int rails = 0;                      // NICs that the members of one node use; 0 = one a rank
  bool near_nics = true;              // the NICs used sit beside their GPUs, on the same PCIe switch
  double pcie_path_s = 0;             // without NVLink: mean latency of the links from a member to the next of its node
  bool crosses_sockets = false;       // without NVLink: members of one node sit on several sockets
  bool nvswitch = true;               // NVLink goes through NVSwitches
  double nic_bytes_per_s = 0;         // port rate of a NIC; 0 = not known
  double nvlink_bytes_per_s = 0;      // of a GPU into its NVSwitches; 0 = not known
  bool sharp = false;                 // the switches of the fabric reduce (CollNet)
  double connection_bytes_per_s = 0;  // most of a channel's connection to a peer on another node; 0 = what the links give
  auto operator<=>(const CommunicatorShape&) const = default;
};

// Constants of the software and hardware; profile values, see docs and the profile files for their sources.
struct TuningParameters {
  Generation generation = Generation::hopper;
  double intra_channel_bytes_per_s = 0;  // per channel inside a node, and the number of channels there
  int intra_channels = 0;
  double inter_channel_bytes_per_s = 0;  // per channel between nodes
  int inter_channels = 0;                // per NIC
  // The NIC's port rate and a GPU's NVLink rate that these speeds were measured behind (channel_speed.hpp); 0 = hold everywhere.
  double nic_bytes_per_s = 0, nvlink_bytes_per_s = 0;
  double network_latency_s = 0;  // what a network crossing takes beyond NCCL's table (EFA, TCPX, virtual machines)
  std::optional<double> reported_latency_s = std::nullopt;  // what the network plugin tells the tuner of it; else the same
  // Most that one channel, which is one SM, copies and reduces on a ring over several nodes with Simple; 0 = not known.
  double channel_copy_bytes_per_s = 0;
  int min_channels = 0;        // NCCL_MIN_CTAS, NCCL_MIN_NCHANNELS: no fewer run, whatever NCCL's own count
  bool gpudirect = true;       // false: network data is staged in host memory (sockets)
  Cpu cpu = Cpu::intel;        // of the hosts; mixed counts as AMD
  double p2p_bytes_per_s = 0;  // most payload of one send/recv or all-to-all pair; 0 = what the links give
  bool pat = false;            // NCCL 2.23 and later: log-step all-gather and reduce-scatter of one rank a node
  // NVLS (reduction in the NVSwitch); nvls_channels 0 = not used.
  int nvls_channels = 0;
  double nvls_channel_bytes_per_s = 0;        // per channel inside a node
  double nvls_inter_channel_bytes_per_s = 0;  // per channel between nodes (NVLSTree)
  double nvls_bytes_per_s = 0;                // most an all-reduce moves through the switch, measured; 0 = what the links give
  double nvls_chunk_bytes = 0;                // of NVLSTree, as a plugin sets it; 0 = NCCL's own rule
};

struct Choice {
  Algorithm algorithm = Algorithm::ring;
  Protocol protocol = Protocol::simple;
  double latency_s = 0;       // paid once, before the flows start: start-up, hops and fill_s
  double fill_s = 0;          // part of latency_s: filling the pipeline of chunks, which the tuner does not count
  double wire_inflation = 1;  // bytes on the wire per payload byte: LL 2, LL128 128/120, Simple 1
  double bus_cap_bytes_per_s =
      std::numeric_limits<double>::infinity();  // most payload the channels move over one ring edge together
  double tuner_latency_s = 0;                   // the tuner's own terms and estimate, by which it chose
  double tuner_bytes_per_s = 0;                 // on an edge of the algorithm's graph, as bus_cap_bytes_per_s
  double predicted_s = 0;
};

// Every candidate, best first; the first is the choice. Never empty: throws std::invalid_argument, saying what is possible,
// when `forced` asks for what this communicator cannot run.
std::vector<Choice> candidates(Kind kind, double bytes, const CommunicatorShape& shape, const TuningParameters& parameters,
                               const Override& forced = {});

// The shape of a communicator.
// REQUIRES at least 2 members, all different.
CommunicatorShape communicator_shape(const topology::Fabric& fabric, const topology::Router& router,
                                     std::span<const topology::GpuId> members);

}  // namespace gridlock::collectives
