// Plain fat tree: all NICs of a node on one leaf, so a unit of nodes has one leaf.
#include "topology/tree_plan.hpp"

namespace gridlock::topology {

LeafLayout fat_tree_layout(const NodeSpec& node) { return {.leaves_per_unit = 1, .nics_per_leaf = node.nics, .planes = 1}; }

}  // namespace gridlock::topology
