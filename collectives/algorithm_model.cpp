#include "collectives/algorithm_model.hpp"

#include <algorithm>
#include <stdexcept>

#include "collectives/nccl_constants.hpp"

namespace gridlock::collectives {

Channels graph_channels(const CommunicatorShape& shape, const TuningParameters& parameters) {
  const double intra = parameters.intra_channels * parameters.intra_channel_bytes_per_s;
  if (shape.nodes == 1) return {parameters.intra_channels, intra};
  const int count = (shape.rails > 0 ? shape.rails : shape.ranks_per_node) * parameters.inter_channels;
  const double inter = count * parameters.inter_channel_bytes_per_s;
  return {count, shape.nodes == 2 && shape.ranks_per_node > 1 ? std::min(intra, inter) : inter};
}

double full_chunk_s(Protocol protocol, int channels, double bytes_per_s) {
  if (protocol == Protocol::ll) return 0;
  return nccl::chunk_bytes * nccl::channel_duplication * channels / bytes_per_s;
}

double network_hop_s(const Call& call, double hop_s, Protocol protocol) {
  const int nic_latencies = protocol == Protocol::simple ? 2 : 1;  // Simple flushes what it received
  return call.parameters.latency_scale * (hop_s + nic_latencies * call.shape.path_latency_s);
}

double wire_inflation(Protocol protocol) {
  switch (protocol) {
    case Protocol::ll:
      return 2;
    case Protocol::ll128:
      return 1 / nccl::ll128_payload;
    case Protocol::simple:
      return 1;
  }
  throw std::logic_error("protocol out of range");
}

}  // namespace gridlock::collectives
