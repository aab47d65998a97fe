// The tuner's view of the ring. n ranks on N nodes; steps = 2 (n-1) for all-reduce, n-1 for all-gather and reduce-scatter,
// n for broadcast and reduce; I = steps that cross nodes = 2 (N-1), or N-1.
//
//   latency   = base + (steps - I) * max(intra hop, network overhead) + I * network hop       (broadcast, reduce: see below)
//   bus       = channels * speed per channel
//   LL        min(LL's cap, bus / 2)        LL128   min(0.92 bus, channels * LL128's cap)        Simple   bus
//   bandwidth = bus * n / steps, as each edge carries steps / n of the bytes
//
// As it is:
//   hops      collectives/algorithm_model.hpp: over PCIe longer, over the network by the profile
//   LL        9.5 GB/s a channel over NVLink; small calls use few (used_channels), so that up to 24 channels' worth of bytes take
//             no longer than one's. Over a network at most 3.3 GB/s a channel. Over PCIe 0.625 of the tuner's figure: its stores
//             travel in packets of 32 bytes, 32 of 56 bytes on the wire, where packets of 256 bytes carry 256 of 280
//   SMs       Simple over several nodes: at most what the channels used copy, channel_copy of the profile each
//             (algorithm_model.hpp). 8 H100 nodes by 8 NICs run 16 channels, 366 GB/s, and with NCCL_MIN_CTAS=24 what NICs carry
//   PCIe      rings through two sockets reach 0.8 of the speed of those in one
//   fill      a chunk (algorithm_model.hpp) where all edges are NVLinks. Over NICs and NVLink none: NVLink brings chunks ahead of
//             time, so NICs never wait. Where every edge is a NIC or a PCIe path, Simple waits for a slice: half a chunk, at most
//             half of one of the 2 (n-1) parts that the call is cut into
//
// Worked example: all-reduce of 1 GB on 8 A100 of one node, 12 channels of 20 GB/s, Simple: 8.4 + 14 * 3.4 = 56 us latency,
// bus 240 GB/s, bandwidth 240 * 8 / 14 = 137 GB/s, time 7.35 ms.
#include <algorithm>
#include <limits>

#include "collectives/algorithm_model.hpp"
#include "collectives/nccl_constants.hpp"
#include "collectives/pattern.hpp"

namespace gridlock::collectives {
namespace {

// What LL's small buffers let through a channel of the network, which the tuner does not know. Fitted: tables
// rtx3090_4n1_ar_mtu1024, l40s_2n1_ar_tcp (3.3 and 3.9 GB/s with one NIC) and h100_2n2_ar (5 with two) of validation/nccl.yaml.
constexpr double network_ll_channel_bytes_per_s = 3.3e9;
// What LL moves over NVLink by one channel. Fitted: table nv_h100_8_ar_nvls takes 6 us longer from 32 KiB, the bytes of one
// channel, to 512 KiB, those of 16, than for 8 bytes: 1.75 * 32 KiB / 6 us.
constexpr double nvlink_ll_channel_bytes_per_s = 9.5e9;
constexpr double pcie_ll_share = (32.0 / 56) / (256.0 / 280);  // PCIe packet: 24 bytes of header, framing and checksum
// github.com/NVIDIA/nccl issue 1639: all-reduce over PCIe, 8 RTX 5090 on two sockets 28 GB/s, 4 on one 35 GB/s.
constexpr double socket_crossing_share = 28.0 / 35;

class RingModel final : public AlgorithmModel {
 public:
  Algorithm algorithm() const override { return Algorithm::ring; }

  bool supports(const Call& call, Protocol) const override { return !is_point_to_point(call.kind); }

  double tuner_latency_s(const Call& call, Protocol protocol) const override {
    const nccl::Hop inside = call.shape.nvlink ? nccl::Hop::nvlink : nccl::Hop::pcie;
    return latency_of_hops_s(call, protocol, nccl::hop_s(nccl::ring_hop_us, inside, protocol),
                             tuner_network_hop_s(call, network_table_s(call, protocol), protocol));
  }

  double latency_s(const Call& call, Protocol protocol) const override {
    return latency_of_hops_s(call, protocol, intra_hop_s(call, nccl::ring_hop_us, protocol),
                             network_hop_s(call, network_table_s(call, protocol), protocol));
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
    const CommunicatorShape& shape = call.shape;
    const double bus = tuner_bytes_per_s(call, protocol) * (shape.crosses_sockets ? socket_crossing_share : 1);
    if (protocol == Protocol::simple && shape.nodes > 1) return std::min(bus, copied_bytes_per_s(call));
    if (protocol != Protocol::ll) return bus;
    if (shape.nodes > 1) return std::min(bus, graph_channels(shape, call.parameters).count * network_ll_channel_bytes_per_s);
    if (!shape.nvlink) return bus * pcie_ll_share;
    return std::min(bus, used_channels(call, protocol) * nvlink_ll_channel_bytes_per_s);
  }

  double fill_s(const Call& call, Protocol protocol) const override {
    const CommunicatorShape& shape = call.shape;
    const double transfer = transfer_s(*this, call, protocol);
    const double chunk = full_chunk_s(protocol, graph_channels(shape, call.parameters).count, bus_bytes_per_s(call, protocol));
    if (shape.nvlink && shape.nodes == 1) return saturating_fill_s(transfer, chunk);
    if (protocol != Protocol::simple || (shape.nvlink && shape.ranks_per_node > 1)) return 0;
    return saturating_fill_s(transfer, std::min(chunk / 2, transfer / (4.0 * (shape.ranks - 1))));
  }

 private:
  // The table's hop over the network. With one rank a node NCCL takes that of Tree; broadcast and reduce with Simple too.
  static double network_table_s(const Call& call, Protocol protocol) {
    const bool one_way = call.kind == Kind::broadcast || call.kind == Kind::reduce;
    const bool tree = one_way ? protocol == Protocol::simple : call.shape.ranks_per_node == 1;
    return nccl::hop_s(tree ? nccl::tree_hop_us : nccl::ring_hop_us, nccl::Hop::network, protocol);
  }

  static double latency_of_hops_s(const Call& call, Protocol protocol, double intra, double inter) {
    const CommunicatorShape& shape = call.shape;
    const double base = nccl::at(nccl::ring_base_us, protocol) * nccl::us;
    if (call.kind == Kind::broadcast || call.kind == Kind::reduce) {
      if (shape.nodes == 1) return base + intra;  // every channel is the same ring: NCCL counts one hop
      return base + shape.ranks * inter;
    }
    const int rounds = call.kind == Kind::all_reduce ? 2 : 1;
    const int steps = rounds * (shape.ranks - 1), crossings = rounds * (shape.nodes - 1);
    const double overhead = shape.nodes > 1 ? nccl::network_overhead_s(call.parameters.cpu, protocol) : 0;
    const double hops = (steps - crossings) * std::max(intra, overhead) + crossings * inter;
    return (base + hops) * large_simple_factor(call, protocol);
  }

  static double copied_bytes_per_s(const Call& call) {
    const double channel = call.parameters.channel_copy_bytes_per_s;
    if (channel == 0) return std::numeric_limits<double>::infinity();
    return used_channels(call, Protocol::simple) * channel;
  }

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
