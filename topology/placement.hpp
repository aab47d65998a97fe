// Which physical GPU each rank runs on.
#pragma once

#include <cstdint>
#include <vector>

#include "topology/fabric.hpp"

namespace gridlock::topology {

// Ranks fill logical nodes in order, gpus_per_node to a node; the placement says which physical node each logical one is:
//   packed     itself
//   scattered  a permutation of all nodes drawn from `seed`, the same on every machine
//   listed     placement.nodes, in order
// Returns the GPU of every rank. SpecError at "cluster.nodes" when the ranks do not fit, at "cluster.placement" when a listed
// node does not exist, is listed twice, or too few are listed.
std::vector<GpuId> place(const ClusterSpec& spec, std::uint32_t ranks, std::uint64_t seed);

}  // namespace gridlock::topology
