// The tuner's view of the ring. n ranks on N nodes; steps = 2 (n-1) for all-reduce, n-1 for all-gather and reduce-scatter,
// n for broadcast and reduce; I = steps that cross nodes = 2 (N-1), or N-1.
//
//   latency   = base + (steps - I) * max(intra hop, network overhead) + I * network hop       (broadcast, reduce: see below)
//   bus       = channels * speed per channel
//   LL        min(LL's cap, bus / 2)        LL128   min(0.92 bus, channels * LL128's cap)        Simple   bus
//   bandwidth = bus * n / steps, as each edge carries steps / n of the bytes
//
// Worked example: all-reduce of 1 GB on 8 A100 of one node, 12 channels of 20 GB/s, Simple: 8.4 + 14 * 3.4 = 56 us latency,
// bus 240 GB/s, bandwidth 240 * 8 / 14 = 137 GB/s, time 7.35 ms.
#include <algorithm>

#include "collectives/algorithm_model.hpp"
#include "collectives/nccl_constants.hpp"

namespace gridlock::collectives {
namespace {

struct Channels {
  int count;
  double bytes_per_s;  // all together
};

// One node: the channels of NVLink or PCIe. Two: the slower of those and the network's. More: the network's, as NCCL then
// looks at the speed between nodes alone.
Channels channels(const CommunicatorShape& shape, const TuningParameters& parameters) {
  const double intra = parameters.intra_channels * parameters.intra_channel_bytes_per_s;
  if (shape.nodes == 1) return {parameters.intra_channels, intra};
  const int count = (shape.rails > 0 ? shape.rails : shape.ranks_per_node) * parameters.inter_channels;
  const double inter = count * parameters.inter_channel_bytes_per_s;
  return {count, shape.nodes == 2 && shape.ranks_per_node > 1 ? std::min(intra, inter) : inter};
}

class RingModel final : public AlgorithmModel {
 public:
  Algorithm algorithm() const override { return Algorithm::ring; }

  bool supports(const Call& call, Protocol) const override {
    return call.kind != Kind::all_to_all && call.kind != Kind::send_recv;
  }

  double latency_s(const Call& call, Protocol protocol) const override {
    const CommunicatorShape& shape = call.shape;
    const TuningParameters& parameters = call.parameters;
    const double base = nccl::at(nccl::ring_base_us, protocol) * nccl::us;
    const nccl::Hop inside = shape.nvlink ? nccl::Hop::nvlink : nccl::Hop::pcie;
    const double intra = nccl::hop_s(nccl::ring_hop_us, inside, protocol);

    if (call.kind == Kind::broadcast || call.kind == Kind::reduce) {
      if (shape.nodes == 1) return base + intra;  // every channel is the same ring: NCCL counts one hop
      const auto& table = protocol == Protocol::simple ? nccl::tree_hop_us : nccl::ring_hop_us;
      return base + shape.ranks * network_s(nccl::hop_s(table, nccl::Hop::network, protocol), call, 1);
    }
    const int rounds = call.kind == Kind::all_reduce ? 2 : 1;
    const int steps = rounds * (shape.ranks - 1), crossings = rounds * (shape.nodes - 1);
    const double overhead = shape.nodes > 1 ? nccl::network_overhead_s(parameters.cpu, protocol) : 0;
    const auto& table = shape.ranks_per_node == 1 ? nccl::tree_hop_us : nccl::ring_hop_us;
    const int nic_latencies = protocol == Protocol::simple ? 2 : 1;  // Simple flushes what it received
    const double inter = network_s(nccl::hop_s(table, nccl::Hop::network, protocol), call, nic_latencies);
    const double hops = (steps - crossings) * std::max(intra, overhead) + crossings * inter;
    return (base + hops) * large_simple_factor(call, protocol);
  }

  double bus_bytes_per_s(const Call& call, Protocol protocol) const override {
    const auto [count, bus] = channels(call.shape, call.parameters);
    switch (protocol) {
      case Protocol::ll:
        return std::min(nccl::ll_max(call.shape, call.parameters), bus / 2);
      case Protocol::ll128:
        return std::min(nccl::ring_ll128_efficiency * bus,
                        count * nccl::cap(nccl::ring_ll128_channel_gb, call.parameters.generation, call.shape.nodes));
      case Protocol::simple:
        break;
    }
    return bus;
  }

 private:
  static double network_s(double hop_s, const Call& call, int nic_latencies) {
    return call.parameters.latency_scale * (hop_s + nic_latencies * call.shape.path_latency_s);
  }

  static double large_simple_factor(const Call& call, Protocol protocol) {
    if (protocol != Protocol::simple || call.kind != Kind::all_reduce || call.shape.nodes == 1) return 1;
    const double bytes_per_step = call.bytes / (channels(call.shape, call.parameters).count * call.shape.ranks);
    return bytes_per_step < nccl::simple_ring_bytes_per_step ? 1 : nccl::simple_ring_factor(call.parameters.generation);
  }
};

}  // namespace

const AlgorithmModel& ring_model() {
  static const RingModel model;
  return model;
}

}  // namespace gridlock::collectives
