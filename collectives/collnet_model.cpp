// The tuner's view of reductions in the fabric, all-reduce with Simple only, where the fabric has SHARP. N nodes of m ranks, c
// channels between nodes of speed B each, b inside.
//
//   latency      CollNetDirect  2 (3.7 us [m > 1] + 0.4 us (m - 1)) + 31 us
//                CollNetChain   2 (m - 1) 2.8 us + 30 us
//                NVLS           25 us + 18 us                              (network parts scaled, and with the links' latency)
//   bandwidth    CollNetChain   c B / 2;   CollNetDirect  c B / 2 / (f - (f - 1) / 2), f = m / c, times 0.85 from Hopper on
//                NVLS           c min(b efficiency (c - 1) / c * 2, B) n / steps, with NVLS' own channels
//
// That is the tuner's rule; the flows may move c B, as each NIC carries every byte of its rail once each way. Source: NVIDIA/nccl
// v2.28.9-1 src/graph/tuning.cc. No table of a SHARP cluster is in validation/nccl.yaml: these numbers are not held against one.
//
// Worked example: 16 nodes of one GPU, a channel of 48 GB/s, no link latency: CollNetChain 30 us and 24 GB/s by the tuner.
#include <algorithm>

#include "collectives/algorithm_model.hpp"
#include "collectives/nccl_constants.hpp"

namespace gridlock::collectives {
namespace {

constexpr double direct_intra_us = 3.7, direct_rank_us = 0.4, direct_network_us = 31;
constexpr double chain_intra_us = 2.8, chain_network_us = 30, nvls_network_us = 18;
constexpr double direct_hopper_efficiency = 0.85, up_and_down = 0.5;
constexpr int direct_most_ranks = 8;

bool in_fabric(const Call& call, Protocol protocol) {
  return call.shape.sharp && call.shape.nodes > 1 && call.kind == Kind::all_reduce && protocol == Protocol::simple;
}

double channels_bytes_per_s(const Call& call) {
  const Channels channels = graph_channels(call.shape, call.parameters);
  return channels.count * call.parameters.inter_channel_bytes_per_s;
}

class CollNetDirectModel final : public AlgorithmModel {
 public:
  Algorithm algorithm() const override { return Algorithm::collnet_direct; }
  bool supports(const Call& call, Protocol protocol) const override {
    return in_fabric(call, protocol) && call.shape.nvlink && call.shape.nvswitch &&
           call.shape.ranks_per_node <= direct_most_ranks;
  }
  double latency_s(const Call& call, Protocol protocol) const override {
    const int others = call.shape.ranks_per_node - 1;
    return 2 * (std::min(1, others) * direct_intra_us + direct_rank_us * others) * nccl::us +
           network_hop_s(call, direct_network_us * nccl::us, protocol);
  }
  double tuner_latency_s(const Call& call, Protocol protocol) const override {
    const int others = call.shape.ranks_per_node - 1;
    return 2 * (std::min(1, others) * direct_intra_us + direct_rank_us * others) * nccl::us +
           tuner_network_hop_s(call, direct_network_us * nccl::us, protocol);
  }
  double bus_bytes_per_s(const Call& call, Protocol) const override { return channels_bytes_per_s(call); }
  double tuner_bytes_per_s(const Call& call, Protocol) const override {
    const double factor = static_cast<double>(call.shape.ranks_per_node) / graph_channels(call.shape, call.parameters).count;
    const double generation = call.parameters.generation >= Generation::hopper ? direct_hopper_efficiency : 1;
    return up_and_down * generation * channels_bytes_per_s(call) / (factor - (factor - 1) / 2);
  }
};

class CollNetChainModel final : public AlgorithmModel {
 public:
  Algorithm algorithm() const override { return Algorithm::collnet_chain; }
  bool supports(const Call& call, Protocol protocol) const override { return in_fabric(call, protocol); }
  double latency_s(const Call& call, Protocol protocol) const override {
    return 2 * (call.shape.ranks_per_node - 1) * chain_intra_us * nccl::us +
           network_hop_s(call, chain_network_us * nccl::us, protocol);
  }
  double tuner_latency_s(const Call& call, Protocol protocol) const override {
    return 2 * (call.shape.ranks_per_node - 1) * chain_intra_us * nccl::us +
           tuner_network_hop_s(call, chain_network_us * nccl::us, protocol);
  }
  double bus_bytes_per_s(const Call& call, Protocol) const override { return channels_bytes_per_s(call); }
  double tuner_bytes_per_s(const Call& call, Protocol) const override { return up_and_down * channels_bytes_per_s(call); }
};

// NVLS inside the nodes, SHARP between them.
class NvlsSharpModel final : public AlgorithmModel {
 public:
  Algorithm algorithm() const override { return Algorithm::nvls; }
  bool supports(const Call& call, Protocol protocol) const override {
    const CommunicatorShape& shape = call.shape;
    return in_fabric(call, protocol) && call.parameters.nvls_channels > 0 && call.parameters.nvls_inter_channel_bytes_per_s > 0 &&
           shape.nvswitch && shape.ranks_per_node > 1 && shape.ranks == shape.nodes * shape.ranks_per_node;
  }
  double latency_s(const Call& call, Protocol protocol) const override {
    return nccl::nvls_intra_us * nccl::us + network_hop_s(call, nvls_network_us * nccl::us, protocol);
  }
  double tuner_latency_s(const Call& call, Protocol protocol) const override {
    return nccl::nvls_intra_us * nccl::us + tuner_network_hop_s(call, nvls_network_us * nccl::us, protocol);
  }
  double bus_bytes_per_s(const Call& call, Protocol) const override {
    const TuningParameters& p = call.parameters;
    const double inside = p.nvls_bytes_per_s > 0 ? p.nvls_bytes_per_s : std::numeric_limits<double>::infinity();
    return std::min(inside, p.nvls_channels * p.nvls_inter_channel_bytes_per_s);
  }
  double tuner_bytes_per_s(const Call& call, Protocol) const override {
    const TuningParameters& p = call.parameters;
    const double channels = p.nvls_channels;
    const double intra = 2 * p.nvls_channel_bytes_per_s * nccl::nvls_efficiency(p.generation) * (channels - 1) / channels;
    return channels * std::min(intra, p.nvls_inter_channel_bytes_per_s) / bus_factor(call.kind, call.shape.ranks);
  }
};

}  // namespace

const AlgorithmModel& collnet_direct_model() {
  static const CollNetDirectModel model;
  return model;
}

const AlgorithmModel& collnet_chain_model() {
  static const CollNetChainModel model;
  return model;
}

const AlgorithmModel& nvls_sharp_model() {
  static const NvlsSharpModel model;
  return model;
}

}  // namespace gridlock::collectives
