// The fabric as a Graphviz drawing.
#pragma once

#include <iosfwd>

#include "topology/fabric.hpp"

namespace gridlock::topology {

enum class DotDetail : std::uint8_t {
  devices,  // every vertex, those of a node in a frame
  nodes,    // a node is one box that all its NIC cables end at
};

// A digraph; the two directions of a cable of equal capacity are drawn as one edge with two arrow heads. Labels say the capacity
// in GB/s, and the number of cables of a trunk.
void write_dot(std::ostream& out, const Fabric& fabric, DotDetail detail);

}  // namespace gridlock::topology
