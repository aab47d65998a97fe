// Point-to-point traffic: send/recv, all-to-all and the transfers of a pipeline. Pairs are not in lockstep: one independent flow
// a pair, each with its own route.
//
//   latency   = base + hop (collectives/algorithm_model.hpp) + fill
//               all-to-all adds the host's cost of posting one network operation for every remote peer after the first
//   cap of a pair = what the channels move out of a GPU, shared by the pairs that leave it:
//     one node      bus of the channels (p2p_bytes_per_s of the profile where it was measured) / peers
//     several       0.85 * NICs * channel speed / (members of the node * remote peers). Fitted: a100_2n_a2a of
//     validation/nccl.yaml;
//                   pairs take turns in NCCL's schedule, so NICs are not busy all the time
//   fill      = s c / (s + c) at the cap of a pair: s its bytes, c two chunks of 512 KiB
//
// NCCL's tuner has no table for these calls; base and hops are those of Ring with Simple, which moves point-to-point data
// (NVIDIA/nccl v2.28.9-1 src/graph/tuning.cc). Held against nccl-tests: sendrecv on 2 A100 over NVLink 9.9 us, here 11.8;
// all-to-all on 2 nodes of 2 V100 over InfiniBand 24.4 us, here 23.4.
//
// Worked example: all-to-all of 16 GB over 2 nodes of 8 ranks, 8 NICs with a channel of 24 GB/s: 8 remote peers, a pair moves
// 0.85 * 8 * 24 / (8 * 8) = 2.55 GB/s and 1 GB, so 0.392 s; fill 0.41 ms.
#pragma once

#include <span>
#include <vector>

#include "collectives/pattern.hpp"
#include "collectives/tuning.hpp"

namespace gridlock::collectives {

struct PairFlow {
  topology::GpuId from = 0, to = 0;
  std::vector<WeightedLink> links;  // sorted by link, each once
  double share = 1;                 // of the call's bytes (nccl-tests size) that go this way
};

// Every member sends 1/n of its array to every other member: n (n-1) flows, by sender, then by receiver.
std::vector<PairFlow> all_to_all_flows(const topology::Router& router, std::span<const topology::GpuId> members);

// As nccl-tests' sendrecv: member i sends its whole array to member i + 1, the last one to the first.
std::vector<PairFlow> send_recv_flows(const topology::Router& router, std::span<const topology::GpuId> members);

// From the send's start until the first byte could have arrived, for one message along `path`.
double p2p_latency_s(const topology::Fabric& fabric, const topology::Path& path, const TuningParameters& parameters);

}  // namespace gridlock::collectives
