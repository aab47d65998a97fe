// The tuner's view of NVLS (one node) and NVLSTree (several), Simple only. c channels of speed b inside and B between nodes.
//
//   latency     NVLS: 25 us; NVLSTree: 25 us + 2 floor(log2 N) * network hop
//   intra       b * efficiency of the generation * (c - 1) / c, times 2 for all-reduce, else times (m - 1) / m
//   bus         NVLS: c * intra;   NVLSTree: c * min(intra, B (2 B on two nodes), cap of the generation)
//   bandwidth = bus * n / steps as for a ring; an edge of the pattern carries all S bytes, so that is its rate too
//
// As it is:
//   levels    NVLSTree: ceil(log2 N)
//   bus       B is left to the flows over the NICs; at most nvls_bytes_per_s of the profile for an all-reduce (measured)
//             Blackwell on three or more nodes: the cap of NCCL 2.30, 80 GB/s a channel, which the NICs stay below
//   fill      NVLS: a chunk. NVLSTree: the first chunk passes l levels up and down, each NIC serving all channels,
//                2 l * channels * chunk / speed of a NIC;   chunk by NCCL's rule (nccl_constants.hpp), channels twice those of
//                the graph and at least min_channels
//             and before and after that, a chunk of every channel and head goes through the switch,
//                channels * heads * chunk / speed of NVLS
//             Every member is the head of a part: in domains of more than 8 GPUs the switch has a chunk for each head to pass
//             before it runs at full speed. Fitted: 72 GPUs take some 0.5 ms (table cw_gb200_nvl72_ar of validation/nccl.yaml)
//
// Worked example: all-reduce on 8 H100, 8 channels of 60 GB/s: 60 * 0.85 * 7/8 * 2 = 89.25 each, bus 714, bandwidth 408 GB/s;
// measured are 275 (480 bus bandwidth), which is the profile's cap.
#include <algorithm>

#include "collectives/algorithm_model.hpp"
#include "collectives/nccl_constants.hpp"

namespace gridlock::collectives {
namespace {

double intra_channel(const Call& call) {
  const TuningParameters& p = call.parameters;
  const double channels = p.nvls_channels, members = call.shape.ranks_per_node;
  const double one = p.nvls_channel_bytes_per_s * nccl::nvls_efficiency(p.generation) * (channels - 1) / channels;
  return call.kind == Kind::all_reduce ? 2 * one : one * (members - 1) / members;
}

// n / steps
double bus_to_algorithm(const Call& call) { return 1 / bus_factor(call.kind, call.shape.ranks); }

double capped(const Call& call, double bytes_per_s) {
  const double cap = call.parameters.nvls_bytes_per_s;
  return cap > 0 && call.kind == Kind::all_reduce ? std::min(cap, bytes_per_s) : bytes_per_s;
}

// Chunks of a channel that heads beyond `free` fill; eight members fill the buffer of a channel.
double heads_fill_s(const AlgorithmModel& model, const Call& call, double free) {
  const double heads = std::max(1.0, call.shape.ranks_per_node / 8.0) - free;
  const double bus = model.bus_bytes_per_s(call, Protocol::simple);
  const double chunk = heads * full_chunk_s(Protocol::simple, call.parameters.nvls_channels, bus);
  return saturating_fill_s(transfer_s(model, call, Protocol::simple), chunk);
}

class NvlsModel final : public AlgorithmModel {
 public:
  Algorithm algorithm() const override { return Algorithm::nvls; }

  bool supports(const Call& call, Protocol protocol) const override {
    const bool kind = call.kind == Kind::all_reduce || call.kind == Kind::all_gather || call.kind == Kind::reduce_scatter;
    return kind && protocol == Protocol::simple && call.parameters.nvls_channels > 0 && call.shape.nvlink &&
           call.shape.nodes == 1 && call.shape.ranks >= nccl::nvls_least_ranks(call.parameters.generation);
  }

  double tuner_latency_s(const Call&, Protocol) const override { return nccl::nvls_intra_us * nccl::us; }
  double latency_s(const Call& call, Protocol protocol) const override { return tuner_latency_s(call, protocol); }

  double tuner_bytes_per_s(const Call& call, Protocol) const override {
    return call.parameters.nvls_channels * intra_channel(call) * bus_to_algorithm(call);
  }

  double bus_bytes_per_s(const Call& call, Protocol protocol) const override {
    return capped(call, tuner_bytes_per_s(call, protocol));
  }

  double fill_s(const Call& call, Protocol) const override { return heads_fill_s(*this, call, 0); }
};

class NvlsTreeModel final : public AlgorithmModel {
 public:
  Algorithm algorithm() const override { return Algorithm::nvls_tree; }

  bool supports(const Call& call, Protocol protocol) const override {
    const CommunicatorShape& shape = call.shape;
    return call.kind == Kind::all_reduce && protocol == Protocol::simple && call.parameters.nvls_channels > 0 && shape.nvlink &&
           shape.nodes > 1 && shape.ranks_per_node > 1 && shape.ranks == shape.nodes * shape.ranks_per_node;
  }

  double tuner_latency_s(const Call& call, Protocol protocol) const override {
    const double hop = tuner_network_hop_s(call, nccl::nvls_tree_network_us * nccl::us, protocol);
    return nccl::nvls_intra_us * nccl::us + 2 * tuner_tree_levels(call.shape.nodes) * hop;
  }

  double latency_s(const Call& call, Protocol protocol) const override {
    const double hop = network_hop_s(call, nccl::nvls_tree_network_us * nccl::us, protocol);
    return nccl::nvls_intra_us * nccl::us + 2 * tree_levels(call.shape.nodes) * hop;
  }

  double tuner_bytes_per_s(const Call& call, Protocol) const override {
    const double inter = call.parameters.nvls_inter_channel_bytes_per_s * (call.shape.nodes == 2 ? 2 : 1);
    return bus(call, std::min(inter, nccl::cap(nccl::nvls_tree_channel_gb, call.parameters.generation, call.shape.nodes)));
  }

  double bus_bytes_per_s(const Call& call, Protocol) const override {
    const Generation generation = call.parameters.generation;
    const bool late = generation == Generation::blackwell && call.shape.nodes > 2;
    const double cap =
        late ? nccl::nvls_tree_blackwell_late : nccl::cap(nccl::nvls_tree_channel_gb, generation, call.shape.nodes);
    return capped(call, bus(call, cap));
  }

  double fill_s(const Call& call, Protocol) const override {
    const TuningParameters& p = call.parameters;
    const double heads = call.shape.rails > 0 ? call.shape.rails : call.shape.ranks_per_node;
    const double channels = std::max(nccl::channel_duplication * p.nvls_channels, p.min_channels);
    const double chunk = std::min(chunk_bytes(call, channels * heads), call.bytes / (channels * heads));
    const double nic = p.inter_channels * p.inter_channel_bytes_per_s;
    const double in_and_out =
        channels * heads * chunk / capped(call, p.nvls_channels * intra_channel(call) * bus_to_algorithm(call));
    return 2 * tree_levels(call.shape.nodes) * channels * chunk / nic + in_and_out + heads_fill_s(*this, call, 1);
  }

 private:
  static double bus(const Call& call, double cap) {
    return call.parameters.nvls_channels * std::min(intra_channel(call), cap) * bus_to_algorithm(call);
  }

  // `operations`: channels times heads, which work on a chunk each at once.
  static double chunk_bytes(const Call& call, double operations) {
    double chunk = call.parameters.nvls_chunk_bytes;
    if (chunk == 0) chunk = call.shape.nodes >= nccl::nvls_deep_nodes ? nccl::nvls_chunk_bytes_deep : nccl::nvls_chunk_bytes;
    for (const auto& [chunks, largest] : nccl::nvls_tree_chunk_steps) {
      if (call.bytes < chunks * operations * chunk) chunk = std::min(chunk, largest);
    }
    return chunk;
  }
};

}  // namespace

const AlgorithmModel& nvls_model() {
  static const NvlsModel model;
  return model;
}

const AlgorithmModel& nvls_tree_model() {
  static const NvlsTreeModel model;
  return model;
}

}  // namespace gridlock::collectives
