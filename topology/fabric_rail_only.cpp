// Rail-only: leaves as in a rail-optimised fat tree, but each rail has spines of its own, so traffic between rails must cross
// over NVLink inside a node. Wang et al., "Rail-only: A Low-Cost High-Performance Network for Training LLMs with Trillion
// Parameters", arXiv:2307.12169.
#include "topology/tree_plan.hpp"

namespace gridlock::topology {

LeafLayout rail_only_layout(const NodeSpec& node) {
  return {.leaves_per_unit = node.nics, .nics_per_leaf = 1, .planes = node.nics};
}

}  // namespace gridlock::topology
