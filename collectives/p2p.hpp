// Point-to-point traffic: send/recv, all-to-all, gather, scatter and the transfers of a pipeline. Pairs are not in lockstep: one
// independent flow a pair, each with its own route.
//
//   latency   = base + hop (collectives/algorithm_model.hpp) + fill
//               where one rank meets many peers it adds the host's cost of posting one network operation for every remote peer
//               after the first
//   cap of the pair with the most bytes (of others in proportion) = what the channels move out of a GPU, shared by the pairs that
//   leave it:
//     one node      bus of the channels (p2p_bytes_per_s of the profile where it was measured) / peers
//     several       0.85 * NICs * channel speed / (members of the node * remote peers). Fitted to table a100_2n_a2a
//                   (validation/nccl.yaml): pairs take turns in NCCL's schedule, so NICs are not busy all the time
//   fill      = s c / (s + c) at the cap of a pair: s its bytes, c two chunks of 512 KiB
//
// NCCL's tuner has no table for these calls; base and hops are those of Ring with Simple, which moves point-to-point data
// (NVIDIA/nccl v2.28.9-1 src/graph/tuning.cc). Held against nccl-tests: sendrecv on 2 A100 over NVLink 9.9 us, here 11.8;
// all-to-all on 2 nodes of 2 V100 over InfiniBand 24.4 us, here 23.4.
//
// Worked example: all-to-all of 16 GB over 2 nodes of 8 ranks, 8 NICs with a channel of 24 GB/s: 8 remote peers, a pair moves
// 0.85 * 8 * 24 / (8 * 8) = 2.55 GB/s and 1 GB, so 0.392 s; fill 0.41 ms.
#pragma once

#include <functional>
#include <span>

#include "collectives/exchange.hpp"
#include "collectives/pattern.hpp"
#include "collectives/tuning.hpp"

namespace gridlock::collectives {

struct PairFlow {
  topology::GpuId from = 0, to = 0;
  std::span<const WeightedLink> links;  // sorted by link, each once; valid during the visit
  double share = 1;  // of the bytes of the pair with the most; that one has Exchange::largest_share() of the call
};

// Visits the flow of every pair of the exchange, by sender, then by receiver. REQUIRES exchange.ranks() members. Throws
// topology::SpecError when two of them cannot reach each other.
void for_each_flow(const topology::Router& router, std::span<const topology::GpuId> members, const Exchange& exchange,
                   const std::function<void(const PairFlow&)>& visit);

// The same as bundles of a pattern: n (n-1) of them for an all-to-all. wire_bytes() are those of an even exchange; of another one
// they are Exchange::largest_share() times the call's.
Pattern exchange_pattern(const topology::Router& router, std::span<const topology::GpuId> members, const Exchange& exchange);

// From the send's start until the first byte could have arrived, for one message along `path`.
double p2p_latency_s(const topology::Fabric& fabric, const topology::Path& path, const TuningParameters& parameters);

}  // namespace gridlock::collectives
