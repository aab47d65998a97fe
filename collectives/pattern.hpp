// What a collective puts on the fabric. A pipelined ring, tree or NVLS phase moves in lockstep, so each channel is ONE bundle:
// a flow whose route is the multiset of the links of all its edges, and whose rate is the least share any of them can give.
//
// A bundle of share s carries s * wire bytes at the rate r and loads link l with weight_l * r. On an idle fabric the bundles of
// a pattern share links max-min fairly (collectives/time.hpp); when every bundle has the same share and the same slowest link,
//
//   time = latency + max over links ( sum over bundles (share * weight_l) * wire bytes / capacity_l )
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
  double share = 1;  // of the call's wire bytes; those of a pattern add up to 1 (pairs of point-to-point calls: each on its own)
};

// All bundles start together and the collective ends when the last has ended. Channels of equal route are merged.
struct Pattern {
  Algorithm algorithm = Algorithm::ring;
  std::vector<Bundle> bundles;
};

// Bytes on every ring edge for a call of `bytes` (nccl-tests size), all channels together: all-reduce 2(n-1)/n S,
// reduce-scatter and all-gather (n-1)/n S, broadcast and reduce S. REQUIRES a kind that runs as a ring.
double ring_wire_bytes(Kind kind, int ranks, double bytes);

// Payload on one edge of an algorithm's graph, all channels together, as `share` of a Bundle refers to it.
double wire_bytes(Algorithm algorithm, Kind kind, int ranks, double bytes);

// Multi-channel rings as NCCL lays them over rails (see ring.cpp). `members` are GPUs in rank order; REQUIRES at least 2,
// all different. `channels` 0 = one per rail used (two under ecmp: NCCL doubles its channels, each has its own queue pair).
// Throws topology::SpecError when two members cannot reach each other.
Pattern ring_pattern(const topology::Fabric& fabric, const topology::Router& router, std::span<const topology::GpuId> members,
                     int channels = 0);

// Double binary trees over rails, for all-reduce (see tree.cpp). Same requirements.
Pattern tree_pattern(const topology::Fabric& fabric, const topology::Router& router, std::span<const topology::GpuId> members);

// Reductions in the NVSwitch (see nvls.cpp): on one node, and on several nodes joined by trees. REQUIRES NVSwitch nodes with at
// least two members each.
Pattern nvls_pattern(const topology::Fabric& fabric, const topology::Router& router, std::span<const topology::GpuId> members);
Pattern nvls_tree_pattern(const topology::Fabric& fabric, const topology::Router& router,
                          std::span<const topology::GpuId> members);

// Trees of far and near neighbours for all-gather and reduce-scatter (see pat.cpp). REQUIRES one member a node.
Pattern pat_pattern(const topology::Fabric& fabric, const topology::Router& router, std::span<const topology::GpuId> members);

// The pattern of any algorithm that candidates() offers for calls of `kind`; point-to-point ones even (collectives/p2p.hpp).
Pattern make_pattern(Algorithm algorithm, Kind kind, const topology::Fabric& fabric, const topology::Router& router,
                     std::span<const topology::GpuId> members);

// Building blocks of the patterns.

// Appends what a message along `path` loads.
void append_crossings(const topology::Path& path, std::vector<WeightedLink>& crossings);
// Sorts the crossings and adds up those of the same link. Sums do not depend on the order of the crossings, so that links
// crossed alike have weights equal to the last bit.
void sum_by_link(std::vector<WeightedLink>& crossings);
Bundle make_bundle(std::vector<WeightedLink> crossings, double share);
// Bundles of equal links become one with the sum of their shares; the order of first appearance stays.
void merge_equal_bundles(std::vector<Bundle>& bundles);

}  // namespace gridlock::collectives
