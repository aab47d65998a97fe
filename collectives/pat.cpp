// PAT (parallel aggregated trees): all-gather and reduce-scatter of one rank a node in log2 n instead of n - 1 steps.
//
// The part of every rank goes down a binomial tree of its own: rank r + j, j > 0 with lowest set bit b, has it from r + j - b. So
// over distance b = 2^k each rank sends as many parts as there are j < n with lowest bit b; far neighbours get few, near ones
// many. The n - 1 parts a rank sends fill its NIC as a ring does, but not only towards the next rank:
//
//   share of distance 2^k = count(j < n with lowest bit 2^k) / (n - 1)
//
// Reduce-scatter is the same backwards and shares the pattern. Source: S. Jeaugey, "PAT: a new algorithm for all-gather and
// reduce-scatter operations at scale" (2025); NVIDIA/nccl v2.28.9-1 src/device/all_gather.h.
//
// Worked example, n = 8: distance 1: 4 parts of 7 (j = 1, 3, 5, 7), distance 2: 2 of 7, distance 4: 1 of 7.
#include <stdexcept>

#include "collectives/node_groups.hpp"
#include "collectives/pattern.hpp"

namespace gridlock::collectives {

Pattern pat_pattern(const topology::Fabric& fabric, const topology::Router& router, std::span<const topology::GpuId> members) {
  const NodeGroups groups = group_by_node(fabric, members);
  const std::size_t n = groups.members.size();
  if (n < 2 || groups.nodes() != n) throw std::logic_error("PAT needs one member a node, and at least two nodes");
  std::vector<WeightedLink> crossings;
  for (std::size_t distance = 1; distance < n; distance *= 2) {
    const std::size_t parts = (n - 1 + distance) / (2 * distance);  // odd multiples of the distance below n
    const double share = static_cast<double>(parts) / static_cast<double>(n - 1);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t first = crossings.size();
      append_crossings(router.path(groups.members[i], groups.members[(i + distance) % n]), crossings);
      for (std::size_t c = first; c < crossings.size(); ++c) crossings[c].weight *= share;
    }
  }
  Pattern pattern;
  pattern.algorithm = Algorithm::pat;
  pattern.bundles.push_back(make_bundle(crossings, 1));
  return pattern;
}

}  // namespace gridlock::collectives
