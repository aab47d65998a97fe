// Cables by what they join, both directions together: "NIC - leaf" are all links from a NIC to a leaf and back.
#pragma once

#include <string>
#include <vector>

#include "sim/sweep/point.hpp"
#include "topology/fabric.hpp"

namespace gridlock::sweep {

// "NIC - leaf" of "NIC to leaf" and of "leaf to NIC".
std::string cable_of(const std::string& link_kind);

// The sorts of cables that a step uses, each once.
std::vector<std::string> cables_used(const Point& point);

// Multiplies the bandwidth of all cables of the sort.
void scale_cables(topology::Fabric& fabric, const std::string& cable, double factor);

// "node5.nic2:leaf2#1" of the link "node5.nic2->leaf2#1": what faults.links matches both directions by. Of a trunk its first
// cable.
std::string cable_pattern(const std::string& link_name, std::uint64_t cables);

}  // namespace gridlock::sweep
