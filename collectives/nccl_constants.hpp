// NCCL's tuner tables: the only place of these numbers. Restated from NVIDIA/nccl v2.28.9-1, src/graph/tuning.cc (latencies in
// microseconds, bandwidths in GB/s = 1e9 bytes per second, as there); read through the accessors of this file, in SI units.
#pragma once

#include <array>
#include <cstddef>

#include "collectives/tuning.hpp"

namespace gridlock::collectives::nccl {

constexpr double us = 1e-6, gb_per_s = 1e9;

enum class Hop : std::uint8_t { nvlink, pcie, network };

using ByProtocol = std::array<double, 3>;  // LL, LL128, Simple

constexpr double at(const ByProtocol& row, Protocol protocol) { return row[static_cast<std::size_t>(protocol)]; }

// Start-up latency of a call.
constexpr ByProtocol tree_base_us{6.8, 14.0, 8.4};
constexpr ByProtocol ring_base_us{6.6, 14.0, 8.4};

// Latency of one hop.
constexpr std::array<ByProtocol, 3> ring_hop_us{{{0.6, 1.9, 3.4}, {1.0, 2.5, 5.7}, {2.7, 4.0, 14.0}}};
constexpr std::array<ByProtocol, 3> tree_hop_us{{{0.6, 1.25, 4.0}, {1.0, 1.9, 4.0}, {5.0, 8.5, 14.0}}};

constexpr double hop_s(const std::array<ByProtocol, 3>& table, Hop hop, Protocol protocol) {
  return at(table[static_cast<std::size_t>(hop)], protocol) * us;
}

// Latency of the path (two NICs, PCIe, a switch or two) that the network hops hold already; assumed.
constexpr double counted_path_s = 2 * us;

// Cost of posting one network operation on the CPU proxy; Simple posts three.
constexpr double network_overhead_s(Cpu cpu, Protocol protocol) {
  return (cpu == Cpu::amd ? 2 : 1) * (protocol == Protocol::simple ? 3 : 1) * us;
}

// Bandwidth caps by generation (Volta, Ampere, Hopper, Blackwell) for 1, 2, and 3 or more nodes.
using Caps = std::array<std::array<double, 3>, 4>;
constexpr Caps ll_max_gb{{{39, 39, 20.4}, {87.7, 22.5, 19}, {141, 45, 35}, {282, 90, 70}}};
constexpr Caps ring_ll128_channel_gb{{{20, 20, 20}, {20, 20, 20}, {36.7, 36.7, 36.7}, {73.4, 34.6, 73.4}}};
constexpr Caps tree_channel_gb{{{26.5, 18.5, 10}, {24, 23.6, 17.8}, {38.7, 41.4, 36}, {70, 42.8, 24}}};
constexpr Caps tree_ll128_channel_gb{{{20, 20, 20}, {20, 20, 20}, {36.7, 36.7, 29}, {55.6, 31.67, 20}}};

constexpr double cap(const Caps& caps, std::size_t row, int nodes) {
  return caps[row][nodes <= 1 ? 0 : nodes == 2 ? 1 : 2] * gb_per_s;
}
constexpr double cap(const Caps& caps, Generation generation, int nodes) {
  return cap(caps, static_cast<std::size_t>(generation), nodes);
}
// LL's cap on the whole job: the generation's on one node, else the row of the CPUs.
constexpr double ll_max(const CommunicatorShape& shape, const TuningParameters& parameters) {
  if (shape.nodes == 1) return cap(ll_max_gb, parameters.generation, 1);
  return cap(ll_max_gb, parameters.cpu == Cpu::amd ? 1 : 0, shape.nodes);
}

// Payload share of LL128's lines, and what the tuner expects ring LL128 to reach of the channels' speed.
constexpr double ll128_payload = 120.0 / 128.0;
constexpr double ring_ll128_efficiency = 0.92;

// What the tuner expects tree all-reduce to reach, and its correction by floor(log2(bytes / 64)); 1 outside the table.
constexpr double tree_efficiency = 0.92, tree_ll_divisor = 3.8, tree_ll128_one_node = 7.0 / 9;
constexpr std::array<std::array<double, 23>, 3> tree_correction{
    {{1, 1, 1, 1, .9, .8, .7, .7, .7, .7, .6, .5, .4, .4, .5, .6, .7, .8, .9, 1, 1, 1, 1},
     {1, 1, 1, 1, 1, .9, .8, .8, .8, .7, .6, .6, .6, .6, .6, .6, .8, .9, .9, .9, .9, 1, 1},
     {.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5, .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9}}};

// NVLS and NVLSTree: no base latency, one hop through the switch; Volta and Ampere have no NVLS.
constexpr double nvls_intra_us = 25, nvls_tree_network_us = 20.9;
constexpr double nvls_efficiency(Generation generation) { return generation == Generation::blackwell ? 0.74 : 0.85; }
constexpr Caps nvls_tree_channel_gb{{{26.5, 18.5, 10}, {24, 23.6, 17.8}, {0, 57.7, 45.5}, {0, 96, 43.8}}};
constexpr double nvls_tree_blackwell_late = 80 * gb_per_s;  // three or more nodes, NCCL 2.30
// Least ranks of one node for which NVLS is seen to be used (rings below): Hopper, stas00/ml-engineering network/README.md;
// Blackwell, the AWS tuner plugin for p6-b200.
constexpr int nvls_least_ranks(Generation generation) { return generation == Generation::blackwell ? 6 : 5; }

// PAT: base, network hop, cost a rank; the hop counts 1 / 3.5 a level; share of the channels' speed.
constexpr double pat_base_us = 8, pat_network_us = 14, pat_rank_us = 2.8, pat_hop_divisor = 3.5, pat_efficiency = 0.75;

// A chunk is 4 of the 8 slots of a channel's 4 MiB buffer (LL128's is about as large); after the search NCCL uses every channel
// twice.
constexpr double chunk_bytes = 2 * 1024 * 1024;
constexpr int channel_duplication = 2;
// Small calls run fewer channels: each gets at least as many bytes as its threads times a threshold, LL's times the ranks.
// Source: NVIDIA/nccl v2.28.9-1 src/enqueue.cc, src/graph/tuning.cc (thread thresholds).
constexpr double channel_threads = 512;
constexpr ByProtocol thread_threshold_bytes{8, 8, 64};
constexpr double fast_channel_gb = 45;  // channels faster than this run on four SMs where two would make fewer than:
constexpr int enough_channels = 16;
constexpr double tree_chunk_bytes = 512 * 1024;  // Tree with Simple: one slot

// NVLSTree: bytes of a chunk, on few nodes and from `deep` on; a call of fewer than so many chunks of every channel and head
// takes smaller ones. Source: src/enqueue.cc.
constexpr double nvls_chunk_bytes = 128 * 1024, nvls_chunk_bytes_deep = 64 * 1024;
constexpr int nvls_deep_nodes = 4;
struct ChunkStep {
  double chunks, largest_bytes;
};
constexpr std::array<ChunkStep, 4> nvls_tree_chunk_steps{{{32, 256 * 1024}, {16, 128 * 1024}, {4, 64 * 1024}, {1, 32 * 1024}}};

// Large ring all-reduces over several nodes with Simple: the latency is raised, as the chunks no longer hide it.
constexpr double simple_ring_bytes_per_step = 64;
constexpr double simple_ring_factor(Generation generation) { return generation == Generation::volta ? 1.9 : 1.4; }

}  // namespace gridlock::collectives::nccl
