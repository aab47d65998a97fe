// The tuner's view of PAT: all-gather and reduce-scatter with one rank a node, Simple only, NCCL 2.23 and later.
//
//   latency   = 8 us + floor(log2 n) * network hop / 3.5 + 2.8 us * n
//   bandwidth = 0.75 * channels * speed; a rank's edges carry (n-1)/n of the bytes
//
// Worked example: 64 nodes, one NIC with a channel of 48 GB/s, no link latency: 8 + 6 * 14 / 3.5 + 2.8 * 64 = 211.2 us, 36 GB/s.
#include "collectives/algorithm_model.hpp"
#include "collectives/nccl_constants.hpp"

namespace gridlock::collectives {
namespace {

class PatModel final : public AlgorithmModel {
 public:
  Algorithm algorithm() const override { return Algorithm::pat; }

  bool supports(const Call& call, Protocol protocol) const override {
    return call.parameters.pat && (call.kind == Kind::all_gather || call.kind == Kind::reduce_scatter) &&
           protocol == Protocol::simple && call.shape.ranks_per_node == 1 && call.shape.nodes > 1;
  }

  double tuner_latency_s(const Call& call, Protocol protocol) const override {
    return latency_of_hops_s(call, tuner_network_hop_s(call, nccl::pat_network_us * nccl::us, protocol));
  }
  double latency_s(const Call& call, Protocol protocol) const override {
    return latency_of_hops_s(call, network_hop_s(call, nccl::pat_network_us * nccl::us, protocol));
  }

  double tuner_bytes_per_s(const Call& call, Protocol) const override {
    return nccl::pat_efficiency * graph_channels(call.shape, call.parameters).bytes_per_s *
           bus_factor(call.kind, call.shape.ranks);
  }

  double fill_s(const Call& call, Protocol protocol) const override {
    const int channels = graph_channels(call.shape, call.parameters).count;
    return saturating_fill_s(transfer_s(*this, call, protocol),
                             full_chunk_s(protocol, channels, bus_bytes_per_s(call, protocol)));
  }

 private:
  static double latency_of_hops_s(const Call& call, double hop) {
    return (nccl::pat_base_us + nccl::pat_rank_us * call.shape.ranks) * nccl::us +
           tuner_tree_levels(call.shape.nodes) * hop / nccl::pat_hop_divisor;
  }
};

}  // namespace

const AlgorithmModel& pat_model() {
  static const PatModel model;
  return model;
}

}  // namespace gridlock::collectives
