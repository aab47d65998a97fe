#include "collectives/algorithm_model.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "collectives/nccl_constants.hpp"
#include "collectives/pattern.hpp"

namespace gridlock::collectives {
namespace {

int nic_latencies(Protocol protocol) { return protocol == Protocol::simple ? 2 : 1; }

}  // namespace

Channels graph_channels(const CommunicatorShape& shape, const TuningParameters& parameters) {
  const double intra = parameters.intra_channels * parameters.intra_channel_bytes_per_s;
  if (shape.nodes == 1) return {parameters.intra_channels, intra};
  const int count = (shape.rails > 0 ? shape.rails : shape.ranks_per_node) * parameters.inter_channels;
  const double inter = count * parameters.inter_channel_bytes_per_s;
  return {count, shape.nodes == 2 && shape.ranks_per_node > 1 ? std::min(intra, inter) : inter};
}

int running_channels(const CommunicatorShape& shape, const TuningParameters& parameters) {
  int count = nccl::channel_duplication * graph_channels(shape, parameters).count;
  const bool fast = parameters.generation >= Generation::hopper &&
                    parameters.inter_channel_bytes_per_s > nccl::fast_channel_gb * nccl::gb_per_s;
  if (fast && shape.nodes > 1 && count < nccl::enough_channels) count *= 2;
  return std::max(count, parameters.min_channels);
}

double used_channels(const Call& call, Protocol protocol) {
  const double ranks = protocol == Protocol::ll ? call.shape.ranks : 1;
  const double least_bytes = nccl::channel_threads * nccl::at(nccl::thread_threshold_bytes, protocol) * ranks;
  const double most = std::max(1, running_channels(call.shape, call.parameters));
  return std::clamp(call.bytes / least_bytes, 1.0, most);
}

double saturating_fill_s(double transfer_s, double chunk_s) {
  return chunk_s > 0 && transfer_s > 0 ? transfer_s * chunk_s / (transfer_s + chunk_s) : 0;
}

double transfer_s(const AlgorithmModel& model, const Call& call, Protocol protocol) {
  return wire_bytes(model.algorithm(), call.kind, call.shape.ranks, call.bytes) / model.bus_bytes_per_s(call, protocol);
}

double full_chunk_s(Protocol protocol, int channels, double bytes_per_s) {
  if (protocol == Protocol::ll) return 0;
  return nccl::chunk_bytes * nccl::channel_duplication * channels / bytes_per_s;
}

double intra_hop_s(const Call& call, const std::array<nccl::ByProtocol, 3>& table, Protocol protocol) {
  if (!call.shape.nvlink) return nccl::hop_s(table, nccl::Hop::pcie, protocol) + call.shape.pcie_path_s;
  return nccl::hop_s(table, nccl::Hop::nvlink, protocol);
}

double tuner_network_hop_s(const Call& call, double hop_s, Protocol protocol) {
  const double reported = call.parameters.reported_latency_s.value_or(call.parameters.network_latency_s);
  return hop_s + nic_latencies(protocol) * reported;
}

double network_hop_s(const TuningParameters& parameters, double path_latency_s, double hop_s, Protocol protocol) {
  const double further = std::max(0.0, path_latency_s - nccl::counted_path_s);
  return hop_s + nic_latencies(protocol) * (parameters.network_latency_s + further);
}

double network_hop_s(const Call& call, double hop_s, Protocol protocol) {
  return network_hop_s(call.parameters, call.shape.path_latency_s, hop_s, protocol);
}

int tree_levels(int nodes) { return std::bit_width(static_cast<unsigned>(nodes - 1)); }

int tuner_tree_levels(int nodes) { return std::bit_width(static_cast<unsigned>(nodes)) - 1; }

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
