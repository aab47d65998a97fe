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
#include "collectives/pattern.hpp"

namespace gridlock::collectives {
namespace {

// What LL's small buffers let through a channel of the network, which the tuner does not know. Fitted: tables
// rtx3090_4n1_ar_mtu1024, l40s_2n1_ar_tcp (3.3 and 3.9 GB/s with one NIC) and h100_2n2_ar (5 with two) of validation/nccl.yaml.
constexpr double network_ll_channel_bytes_per_s = 3.3e9;

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
      return base + shape.ranks * network_hop_s(call, nccl::hop_s(table, nccl::Hop::network, protocol), protocol);
    }
    const int rounds = call.kind == Kind::all_reduce ? 2 : 1;
    const int steps = rounds * (shape.ranks - 1), crossings = rounds * (shape.nodes - 1);
    const double overhead = shape.nodes > 1 ? nccl::network_overhead_s(parameters.cpu, protocol) : 0;
    const auto& table = shape.ranks_per_node == 1 ? nccl::tree_hop_us : nccl::ring_hop_us;
    const double inter = network_hop_s(call, nccl::hop_s(table, nccl::Hop::network, protocol), protocol);
    const double hops = (steps - crossings) * std::max(intra, overhead) + crossings * inter;
    return (base + hops) * large_simple_factor(call, protocol);
  }

  double tuner_bytes_per_s(const Call& call, Protocol protocol) const override {
    const auto [count, bus] = graph_channels(call.shape, call.parameters);
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

  double bus_bytes_per_s(const Call& call, Protocol protocol) const override {
    const double bus = tuner_bytes_per_s(call, protocol);
    if (protocol != Protocol::ll || call.shape.nodes == 1) return bus;
    return std::min(bus, graph_channels(call.shape, call.parameters).count * network_ll_channel_bytes_per_s);
  }

  // Over NVLink a whole chunk of every channel; LL128, whose lines carry their flags, passes on sooner (fitted to all-gathers,
  // table gke_a4_2n_ag of validation/nccl.yaml). Where every edge is a NIC or a PCIe path, a slice: half a chunk, and half of one
  // of the 2 (n-1) parts that the call is cut into.
  double chunk_s(const Call& call, Protocol protocol) const override {
    const double bus = bus_bytes_per_s(call, protocol);
    const double chunk = full_chunk_s(protocol, graph_channels(call.shape, call.parameters).count, bus);
    if (call.shape.nvlink && call.shape.ranks_per_node > 1) return protocol == Protocol::ll128 ? chunk / 4 : chunk;
    const double transfer = wire_bytes(Algorithm::ring, call.kind, call.shape.ranks, call.bytes) / bus;
    return std::min(chunk / 2, transfer / (4.0 * (call.shape.ranks - 1)));
  }

 private:
  static double large_simple_factor(const Call& call, Protocol protocol) {
    if (protocol != Protocol::simple || call.kind != Kind::all_reduce || call.shape.nodes == 1) return 1;
    const double bytes_per_step = call.bytes / (graph_channels(call.shape, call.parameters).count * call.shape.ranks);
    return bytes_per_step < nccl::simple_ring_bytes_per_step ? 1 : nccl::simple_ring_factor(call.parameters.generation);
  }
};

}  // namespace

const AlgorithmModel& ring_model() {
  static const RingModel model;
  return model;
}

}  // namespace gridlock::collectives
