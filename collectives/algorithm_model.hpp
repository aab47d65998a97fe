// What the tuner knows of one algorithm. One implementation a file; tuning.cpp lists those there are.
#pragma once

#include <array>

#include "collectives/tuning.hpp"

namespace gridlock::collectives {

// A call to be tuned.
struct Call {
  Kind kind;
  double bytes;  // as nccl-tests counts
  const CommunicatorShape& shape;
  const TuningParameters& parameters;
};

class AlgorithmModel {
 public:
  virtual ~AlgorithmModel() = default;
  virtual Algorithm algorithm() const = 0;
  // Whether this collective can run this way at all on this communicator.
  virtual bool supports(const Call& call, Protocol protocol) const = 0;

  // As the tuner believes when it chooses: seconds before the first byte of a pipelined call arrives everywhere, and most payload
  // per second on one edge of the algorithm's graph, all channels together (pattern.hpp: wire_bytes).
  virtual double tuner_latency_s(const Call& call, Protocol protocol) const = 0;
  virtual double tuner_bytes_per_s(const Call& call, Protocol protocol) const = 0;

  // As it is. Time by these never falls as the size grows.
  virtual double latency_s(const Call& call, Protocol protocol) const = 0;
  virtual double bus_bytes_per_s(const Call& call, Protocol protocol) const { return tuner_bytes_per_s(call, protocol); }
  // Seconds until the pipeline of chunks is full and every edge busy.
  virtual double fill_s(const Call&, Protocol) const { return 0; }
};

const AlgorithmModel& ring_model();
const AlgorithmModel& tree_model();
const AlgorithmModel& nvls_model();
const AlgorithmModel& nvls_tree_model();
const AlgorithmModel& pat_model();
const AlgorithmModel& collnet_direct_model();
const AlgorithmModel& collnet_chain_model();
const AlgorithmModel& nvls_sharp_model();
const AlgorithmModel& point_to_point_model();

struct Channels {
  int count;
  double bytes_per_s;  // all together
};

// Channels of rings and trees. One node: those of NVLink or PCIe. Two: the network's, at the slower of both speeds. More: the
// network's, as NCCL then looks at the speed between nodes alone.
Channels graph_channels(const CommunicatorShape& shape, const TuningParameters& parameters);

// Channels that run a ring over several nodes: every one of the graph twice, from Hopper on four times where these are fast
// (above 45 GB/s) and twice would be fewer than 16; and at least min_channels. 8 NICs of 400 Gb/s: 16, 4 NICs: 16, one: 4.
// Source: NVIDIA/nccl v2.28.9-1 src/graph/connect.cc.
int running_channels(const CommunicatorShape& shape, const TuningParameters& parameters);

// Of these the ones that a ring call of call.bytes uses, not rounded, so that time never falls as the size grows; at least one.
double used_channels(const Call& call, Protocol protocol);

// Bytes wait until their chunk is whole before they are passed on. A call of transfer time x, in chunks of full time c, fills
// such a pipeline in
//   x c / (x + c):   x when it is less than a chunk, and at most c
double saturating_fill_s(double transfer_s, double chunk_s);

// Time of a full chunk of each of `channels` channels over an edge of `bytes_per_s`; LL passes on every 8 bytes.
double full_chunk_s(Protocol protocol, int channels, double bytes_per_s);

// Seconds a call's bytes take on one edge at the model's bus speed.
double transfer_s(const AlgorithmModel& model, const Call& call, Protocol protocol);

// One hop inside a node: the table's value and, over PCIe, the latency of the links on the way, of which the table holds none.
double intra_hop_s(const Call& call, const std::array<std::array<double, 3>, 3>& table, Protocol protocol);

// One hop over the network: the table's value and, once, or twice with Simple, which flushes what it received,
//   the tuner    what the plugin reports
//   as it is     network_latency_s of the profile, and what the links take beyond the path that NCCL's table was measured on
double tuner_network_hop_s(const Call& call, double hop_s, Protocol protocol);
double network_hop_s(const TuningParameters& parameters, double path_latency_s, double hop_s, Protocol protocol);
double network_hop_s(const Call& call, double hop_s, Protocol protocol);

// Levels of NCCL's binary tree over N nodes: rank 0 is above the highest power of two below N, so 3 nodes are 2 levels deep. The
// tuner counts floor(log2 N).
int tree_levels(int nodes);
int tuner_tree_levels(int nodes);

// Bytes on the wire per byte of payload.
double wire_inflation(Protocol protocol);

}  // namespace gridlock::collectives
