// The tuner's view of NVLS (one node) and NVLSTree (several), Simple only. c channels of speed b inside and B between nodes.
//
//   latency     NVLS: 25 us; NVLSTree: 25 us + 2 floor(log2 N) * network hop
//   intra       b * efficiency of the generation * (c - 1) / c, times 2 for all-reduce, else times (m - 1) / m
//   bus         NVLS: c * intra;   NVLSTree: c * min(intra, B (2 B on two nodes), cap of the generation)
//   bandwidth = bus * n / steps as for a ring; an edge of the pattern carries all S bytes, so that is its rate too
//
// The flows of an all-reduce move at most nvls_bytes_per_s of the profile (measured), whatever the tuner believes.
//
// Worked example: all-reduce on 8 H100, 8 channels of 60 GB/s: 60 * 0.85 * 7/8 * 2 = 89.25 each, bus 714, bandwidth 408 GB/s;
// measured are 275 (480 bus bandwidth), which is the profile's cap.
#include <algorithm>
#include <bit>

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

// Every member is the head of a part, and a channel has a chunk for each: eight members fill the buffer of a channel. Fitted: an
// all-reduce over 72 GPUs needs some 0.5 ms before it runs at full speed (table cw_gb200_nvl72_ar of validation/nccl.yaml).
double chunk_of_heads_s(const Call& call, double bytes_per_s) {
  const double heads = std::max(1.0, call.shape.ranks_per_node / 8.0);
  return heads * full_chunk_s(Protocol::simple, call.parameters.nvls_channels, bytes_per_s);
}

class NvlsModel final : public AlgorithmModel {
 public:
  Algorithm algorithm() const override { return Algorithm::nvls; }

  bool supports(const Call& call, Protocol protocol) const override {
    const bool kind = call.kind == Kind::all_reduce || call.kind == Kind::all_gather || call.kind == Kind::reduce_scatter;
    return kind && protocol == Protocol::simple && call.parameters.nvls_channels > 0 && call.shape.nvlink &&
           call.shape.nodes == 1 && call.shape.ranks >= nccl::nvls_least_ranks(call.parameters.generation);
  }

  double latency_s(const Call&, Protocol) const override { return nccl::nvls_intra_us * nccl::us; }

  double tuner_bytes_per_s(const Call& call, Protocol) const override {
    return call.parameters.nvls_channels * intra_channel(call) * bus_to_algorithm(call);
  }

  double bus_bytes_per_s(const Call& call, Protocol protocol) const override {
    return capped(call, tuner_bytes_per_s(call, protocol));
  }

  double chunk_s(const Call& call, Protocol protocol) const override {
    return chunk_of_heads_s(call, bus_bytes_per_s(call, protocol));
  }
};

class NvlsTreeModel final : public AlgorithmModel {
 public:
  Algorithm algorithm() const override { return Algorithm::nvls_tree; }

  bool supports(const Call& call, Protocol protocol) const override {
    const CommunicatorShape& shape = call.shape;
    return call.kind == Kind::all_reduce && protocol == Protocol::simple && call.parameters.nvls_channels > 0 && shape.nvlink &&
           shape.nodes > 1 && shape.ranks_per_node > 1 && shape.ranks == shape.nodes * shape.ranks_per_node;
  }

  double latency_s(const Call& call, Protocol protocol) const override {
    const int levels = std::bit_width(static_cast<unsigned>(call.shape.nodes)) - 1;
    return nccl::nvls_intra_us * nccl::us + 2 * levels * network_hop_s(call, nccl::nvls_tree_network_us * nccl::us, protocol);
  }

  double tuner_bytes_per_s(const Call& call, Protocol) const override {
    const TuningParameters& p = call.parameters;
    const double inter = p.nvls_inter_channel_bytes_per_s * (call.shape.nodes == 2 ? 2 : 1);
    const double channel =
        std::min({intra_channel(call), inter, nccl::cap(nccl::nvls_tree_channel_gb, p.generation, call.shape.nodes)});
    return p.nvls_channels * channel * bus_to_algorithm(call);
  }

  double bus_bytes_per_s(const Call& call, Protocol protocol) const override {
    return capped(call, tuner_bytes_per_s(call, protocol));
  }

  double chunk_s(const Call& call, Protocol protocol) const override {
    return chunk_of_heads_s(call, bus_bytes_per_s(call, protocol));
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
