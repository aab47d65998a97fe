// The tuner's view of the double binary tree, all-reduce only. N nodes of at most m ranks.
//
//   latency   = base + 2 ((m - 1) * intra hop + floor(log2 N) * network hop)
//   bus       = min(0.92 * channels * speed, channels * tree cap)
//   LL        min(LL's cap, bus / 3.8)
//   LL128     min(bus * 120/128 (7/9 on one node), channels * tree LL128 cap)
//   bandwidth = bus / 2 * correction(protocol, bytes): the data goes up and down; the tuner's correction is a step function of
//               log2(bytes). The flows take it interpolated, so that time never falls as the size grows
//
// Worked example: 4 nodes of 8 A100, 8 channels of 24 GB/s, LL, no link latency: 6.8 + 2 (7 * 0.6 + 2 * 5.0) = 35.2 us.
#include <algorithm>
#include <bit>
#include <cmath>

#include "collectives/algorithm_model.hpp"
#include "collectives/nccl_constants.hpp"

namespace gridlock::collectives {
namespace {

constexpr double smallest_corrected_bytes = 64;

// The tuner's factor: that of the power of two below.
double stepped_correction(Protocol protocol, double bytes) {
  const auto& row = nccl::tree_correction[static_cast<std::size_t>(protocol)];
  const double index = std::floor(std::log2(bytes / smallest_corrected_bytes));
  return index < 0 || index >= static_cast<double>(row.size()) ? 1 : row[static_cast<std::size_t>(index)];
}

double interpolated_correction(Protocol protocol, double bytes) {
  const auto& row = nccl::tree_correction[static_cast<std::size_t>(protocol)];
  const double position = std::log2(std::max(bytes, smallest_corrected_bytes) / smallest_corrected_bytes);
  const auto at = [&](double index) {
    return index < static_cast<double>(row.size()) ? row[static_cast<std::size_t>(index)] : 1.0;
  };
  const double below = std::floor(position);
  return std::lerp(at(below), at(below + 1), position - below);
}

class TreeModel final : public AlgorithmModel {
 public:
  Algorithm algorithm() const override { return Algorithm::tree; }

  bool supports(const Call& call, Protocol) const override { return call.kind == Kind::all_reduce; }

  double latency_s(const Call& call, Protocol protocol) const override {
    const CommunicatorShape& shape = call.shape;
    const double intra = nccl::hop_s(nccl::tree_hop_us, shape.nvlink ? nccl::Hop::nvlink : nccl::Hop::pcie, protocol);
    const double inter = network_hop_s(call, nccl::hop_s(nccl::tree_hop_us, nccl::Hop::network, protocol), protocol);
    const int levels = std::bit_width(static_cast<unsigned>(shape.nodes)) - 1;
    return nccl::at(nccl::tree_base_us, protocol) * nccl::us + 2 * ((shape.ranks_per_node - 1) * intra + levels * inter);
  }

  double bus_bytes_per_s(const Call& call, Protocol protocol) const override {
    return uncorrected(call, protocol) * interpolated_correction(protocol, call.bytes);
  }

  double tuner_bytes_per_s(const Call& call, Protocol protocol) const override {
    return uncorrected(call, protocol) * stepped_correction(protocol, call.bytes);
  }

  double chunk_s(const Call& call, Protocol protocol) const override {
    return full_chunk_s(protocol, graph_channels(call.shape, call.parameters).count, uncorrected(call, protocol));
  }

 private:
  static double uncorrected(const Call& call, Protocol protocol) {
    const auto [count, speed] = graph_channels(call.shape, call.parameters);
    const Generation generation = call.parameters.generation;
    const int nodes = call.shape.nodes;
    const double bus = std::min(nccl::tree_efficiency * speed, count * nccl::cap(nccl::tree_channel_gb, generation, nodes));
    switch (protocol) {
      case Protocol::ll:
        return std::min(nccl::ll_max(call.shape, call.parameters), bus / nccl::tree_ll_divisor) / 2;
      case Protocol::ll128:
        return std::min(bus * (nodes == 1 ? nccl::tree_ll128_one_node : nccl::ll128_payload),
                        count * nccl::cap(nccl::tree_ll128_channel_gb, generation, nodes)) /
               2;
      case Protocol::simple:
        break;
    }
    return bus / 2;
  }
};

}  // namespace

const AlgorithmModel& tree_model() {
  static const TreeModel model;
  return model;
}

}  // namespace gridlock::collectives
