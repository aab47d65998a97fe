// Rail-optimised fat tree: NIC r of every node of a scalable unit on leaf r of the unit, all leaves below the same spines.
// GPUs of one rail in one unit are two hops apart.
#include "topology/tree_plan.hpp"

namespace gridlock::topology {

LeafLayout rail_fat_tree_layout(const NodeSpec& node) { return {.leaves_per_unit = node.nics, .nics_per_leaf = 1, .planes = 1}; }

}  // namespace gridlock::topology
