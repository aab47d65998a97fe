// What a collective puts on the fabric. A pipelined ring moves in lockstep, so each channel is ONE bundle: a flow whose
// route is the multiset of the links of all its edges, and whose rate is the least share any of them can give.
//
//   time on an idle fabric = latency + max over bundles ( share * wire_bytes / min(cap, min over links capacity / weight) )
//
// Worked example: all-reduce of S bytes over n = 4 GPUs of one NVSwitch node, NVLink capacity C per direction. Each ring edge
// carries 2 (n-1)/n S = 1.5 S; each GPU's up- and down-link is crossed once; time = latency + 1.5 S / C.
#pragma once

#include <span>
#include <vector>

#include "collectives/collective.hpp"
#include "topology/router.hpp"

namespace gridlock::collectives {

// `weight` of a link = crossings of that link by the bundle times the share of the flow on each crossing.
struct WeightedLink {
  topology::LinkId link;
  double weight;
  bool operator==(const WeightedLink&) const = default;
};

struct Bundle {
  std::vector<WeightedLink> links;  // sorted by link, each once
  double share = 1;                 // of the call's wire bytes; the shares of a pattern add up to 1
};

// All bundles start together and the collective ends when the last has ended. Channels of equal route are merged.
struct Pattern {
  Algorithm algorithm = Algorithm::ring;
  std::vector<Bundle> bundles;
};

// Bytes on every ring edge for a call of `bytes` (nccl-tests size), all channels together: all-reduce 2(n-1)/n S,
// reduce-scatter and all-gather (n-1)/n S, broadcast and reduce S.
double ring_wire_bytes(Kind kind, int ranks, double bytes);

// Multi-channel rings as NCCL lays them over rails (see ring.cpp). `members` are GPUs in rank order; REQUIRES at least 2,
// all different. `channels` 0 = one per rail used.
Pattern ring_pattern(const topology::Fabric& fabric, const topology::Router& router, std::span<const topology::GpuId> members,
                     int channels = 0);

}  // namespace gridlock::collectives
