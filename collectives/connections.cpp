#include "collectives/connections.hpp"

#include "collectives/algorithm_model.hpp"

namespace gridlock::collectives {
namespace {

// NCCL gives two channels to a peer on another node (NVIDIA/nccl v2.28.9-1 src/init.cc, nChannelsPerNetPeer).
constexpr int channels_of_remote_peer = 2;

}  // namespace

double connections_bytes_per_s(Algorithm algorithm, const CommunicatorShape& shape, const TuningParameters& parameters) {
  if (shape.nodes == 1 || shape.connection_bytes_per_s == 0) return std::numeric_limits<double>::infinity();
  const int channels = algorithm == Algorithm::point_to_point ? channels_of_remote_peer : graph_channels(shape, parameters).count;
  return channels * shape.connection_bytes_per_s;
}

}  // namespace gridlock::collectives
