// What the tuner knows of one algorithm. One implementation a file; tuning.cpp lists those there are.
#pragma once

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
  // Seconds before the first byte of a pipelined call arrives everywhere.
  virtual double latency_s(const Call& call, Protocol protocol) const = 0;
  // Most payload per second on one edge of the algorithm's graph, all channels together (pattern.hpp: wire_bytes). Time by it
  // never falls as the size grows.
  virtual double bus_bytes_per_s(const Call& call, Protocol protocol) const = 0;
  // bus_bytes_per_s as the tuner believes it when it chooses.
  virtual double tuner_bytes_per_s(const Call& call, Protocol protocol) const { return bus_bytes_per_s(call, protocol); }
  // Seconds that one full chunk of every channel takes on an edge; 0 where no chunk has to be whole before it is passed on.
  virtual double chunk_s(const Call&, Protocol) const { return 0; }
};

const AlgorithmModel& ring_model();
const AlgorithmModel& tree_model();
const AlgorithmModel& nvls_model();
const AlgorithmModel& nvls_tree_model();
const AlgorithmModel& pat_model();
const AlgorithmModel& point_to_point_model();

struct Channels {
  int count;
  double bytes_per_s;  // all together
};

// Channels of rings and trees. One node: those of NVLink or PCIe. Two: the network's, at the slower of both speeds. More: the
// network's, as NCCL then looks at the speed between nodes alone.
Channels graph_channels(const CommunicatorShape& shape, const TuningParameters& parameters);

// Time of `channels` chunks over an edge of `bytes_per_s`, for AlgorithmModel::chunk_s; LL passes on every 8 bytes.
double full_chunk_s(Protocol protocol, int channels, double bytes_per_s);

// One hop over the network: the table's value and what the links add, once, or twice with Simple; scaled by the profile.
double network_hop_s(const Call& call, double hop_s, Protocol protocol);

// Bytes on the wire per byte of payload.
double wire_inflation(Protocol protocol);

}  // namespace gridlock::collectives
