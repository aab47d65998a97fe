// Which algorithm and protocol a call uses, and its terms: the interface that NCCL's rules fill.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "collectives/collective.hpp"

namespace gridlock::collectives {

// GPU generation as NCCL's tables index it.
enum class Generation : std::uint8_t { volta, ampere, hopper, blackwell };

// What the choice depends on. "Node" = NVLink domain.
struct CommunicatorShape {
  int ranks = 2;
  int nodes = 1;
  int ranks_per_node = 2;      // the most of any node
  bool nvlink = true;          // false: ranks of one node meet over PCIe
  double path_latency_s = 0;   // what the links of one network crossing add (NIC, cables, switches)
};

// Constants of the software and hardware; profile values, see docs and the profile files for their sources.
struct TuningParameters {
  Generation generation = Generation::hopper;
  double intra_channel_bytes_per_s = 0;  // per channel inside a node, and the number of channels there
  int intra_channels = 0;
  double inter_channel_bytes_per_s = 0;  // per channel between nodes
  int inter_channels = 0;                // per NIC
  double latency_scale = 1;              // of the network part (EFA and TCPX need 5 to 7)
};

struct Choice {
  Algorithm algorithm = Algorithm::ring;
  Protocol protocol = Protocol::simple;
  double latency_s = 0;          // paid once, before the flows start
  double wire_inflation = 1;     // bytes on the wire per payload byte: LL 2, LL128 128/120, Simple 1
  double bus_cap_bytes_per_s = std::numeric_limits<double>::infinity();  // most payload the channels move over one ring edge together
  double predicted_s = 0;        // the tuner's own estimate, by which it chose
};

struct Override {
  std::optional<Algorithm> algorithm;
  std::optional<Protocol> protocol;
};

// Every candidate, best first; the first is the choice. Never empty.
std::vector<Choice> candidates(Kind kind, double bytes, const CommunicatorShape& shape, const TuningParameters& parameters,
                               const Override& forced = {});

}  // namespace gridlock::collectives
