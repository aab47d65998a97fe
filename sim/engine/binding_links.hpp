// Links that can never hold a flow back need no constraint in the simulation kernel (exact).
//
// Let R_i = min over the links of flow i of capacity / weight: the most it can ever get. Link l never binds when
//   sum over its flows of w_il R_i <= C_l
// and each of its flows keeps another link that gives no more than R_i. Among links that the same flows cross with the same
// weights, only the one of least capacity can bind.
//
// Worked example: GPU -> PCIe switch -> NIC -> leaf at 63, 63 and 50 GB/s carry the same flows: only the last stays.
#pragma once

#include <vector>

#include "sim/engine/problem.hpp"

namespace gridlock::engine {

// By link class: true = keep. Every flow with links keeps at least one.
std::vector<char> binding_links(const Problem& problem);

}  // namespace gridlock::engine
