// The tuner's view of the double binary tree, all-reduce only. N nodes of at most m ranks.
//
//   latency   = base + 2 ((m - 1) * intra hop + floor(log2 N) * network hop)
//   bus       = min(0.92 * channels * speed, channels * tree cap)
//   LL        min(LL's cap, bus / 3.8)
//   LL128     min(bus * 120/128 (7/9 on one node), channels * tree LL128 cap)
//   bandwidth = bus / 2 * correction(protocol, bytes): the data goes up and down; the tuner's correction is a step function of
//               log2(bytes)
//
// As it is:
//   levels      ceil(log2 N): NCCL's tree of 3 nodes has two
//   LL, LL128   the tuner's speed, its correction interpolated so that time never falls as the size grows
//   Simple      a GPU copies what goes up and what goes down: half of what its channels move inside the node. NICs are left to
//               the flows (N = 3: 1.5 times the data on the busiest NIC, more nodes: twice)
//   fill        LL128: a chunk. Simple: the first chunk of each channel passes every hop, h NVLink hops and l levels up and down,
//               2 (h * chunk / intra bus + l * chunk / network bus);   chunk = channels * min(512 KiB, bytes / channels)
//
// Worked example: 4 nodes of 8 A100, 8 channels of 24 GB/s, LL, no link latency: 6.8 + 2 (7 * 0.6 + 2 * 5.0) = 35.2 us.
#include <algorithm>
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

  double tuner_latency_s(const Call& call, Protocol protocol) const override {
    const nccl::Hop inside = call.shape.nvlink ? nccl::Hop::nvlink : nccl::Hop::pcie;
    const double inter = tuner_network_hop_s(call, nccl::hop_s(nccl::tree_hop_us, nccl::Hop::network, protocol), protocol);
    return latency_of_hops_s(call.shape, protocol, nccl::hop_s(nccl::tree_hop_us, inside, protocol),
                             tuner_tree_levels(call.shape.nodes) * inter);
  }

  double latency_s(const Call& call, Protocol protocol) const override {
    const double inter = network_hop_s(call, nccl::hop_s(nccl::tree_hop_us, nccl::Hop::network, protocol), protocol);
    return latency_of_hops_s(call.shape, protocol, intra_hop_s(call, nccl::tree_hop_us, protocol),
                             tree_levels(call.shape.nodes) * inter);
  }

  double bus_bytes_per_s(const Call& call, Protocol protocol) const override {
    if (protocol == Protocol::simple) return copied_bus(call) / 2;
    return uncorrected(call, protocol) * interpolated_correction(protocol, call.bytes);
  }

  double tuner_bytes_per_s(const Call& call, Protocol protocol) const override {
    return uncorrected(call, protocol) * stepped_correction(protocol, call.bytes);
  }

  double fill_s(const Call& call, Protocol protocol) const override {
    const Channels graph = graph_channels(call.shape, call.parameters);
    if (protocol != Protocol::simple)
      return saturating_fill_s(transfer_s(*this, call, protocol),
                               full_chunk_s(protocol, graph.count, uncorrected(call, protocol)));
    const double chunk = std::min(call.bytes, nccl::channel_duplication * graph.count * nccl::tree_chunk_bytes);
    const double inside = (call.shape.ranks_per_node - 1) * chunk / copied_bus(call);
    return 2 * (inside + tree_levels(call.shape.nodes) * chunk / graph.bytes_per_s);
  }

 private:
  static double latency_of_hops_s(const CommunicatorShape& shape, Protocol protocol, double intra, double network) {
    return nccl::at(nccl::tree_base_us, protocol) * nccl::us + 2 * ((shape.ranks_per_node - 1) * intra + network);
  }

  // What the copy loops of all channels move: as on a ring inside the node, or over the NIC of a rank alone on its node.
  static double copied_bus(const Call& call) {
    if (call.shape.ranks_per_node == 1) return 2 * graph_channels(call.shape, call.parameters).bytes_per_s;
    return call.parameters.intra_channels * call.parameters.intra_channel_bytes_per_s;
  }

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
