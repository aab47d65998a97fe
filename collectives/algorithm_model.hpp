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
  // Payload per second on one edge of the algorithm's graph, all channels together (pattern.hpp: wire_bytes).
  virtual double bus_bytes_per_s(const Call& call, Protocol protocol) const = 0;
};

const AlgorithmModel& ring_model();
const AlgorithmModel& point_to_point_model();

// Bytes on the wire per byte of payload.
double wire_inflation(Protocol protocol);

}  // namespace gridlock::collectives
