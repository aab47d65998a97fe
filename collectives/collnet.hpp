// Reductions in the switches of the fabric (see collnet.cpp).
#pragma once

#include "collectives/pattern.hpp"
#include "collectives/tuning.hpp"

namespace gridlock::collectives {

// All-reduce with CollNetDirect, CollNetChain, or NVLS inside the nodes. REQUIRES a fabric with `sharp` and members in at least
// two nodes; NVLS: NVSwitch nodes with equally many members, at least two.
Pattern collnet_pattern(Algorithm algorithm, const topology::Fabric& fabric, const topology::Router& router,
                        std::span<const topology::GpuId> members);

// What one head's part crosses inside a node with NVLS: every member's NVLink up and down once, the head's twice (nvls.cpp).
void append_switch_crossings(const topology::Router& router, std::span<const topology::GpuId> members, std::size_t head,
                             std::vector<WeightedLink>& crossings);

}  // namespace gridlock::collectives
