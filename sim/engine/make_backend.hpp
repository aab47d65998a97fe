// Which backend runs a problem.
#pragma once

#include <memory>
#include <optional>

#include "sim/engine/backend.hpp"

namespace gridlock::engine {

// Who works out how flows share links; the rates are the same.
//   simgrid      SimGrid's network model: at each event it solves the whole group of flows that the changed one is connected
//   with. incremental  MaxMin: mends only the rates that change. Nearly as fast for a few flow classes, far faster for thousands
//   that
//                are all connected (the flagship under ecmp: 9,856 flow classes, 15 s against 250 s).
enum class Sharing { simgrid, incremental };

// Folded problems of many flow classes are shared incrementally. Unfolded ones, the oracle, never are.
Sharing sharing_for(const Problem& problem);

// At most one a process. `worst_rounding`, when given, receives the largest relative rounding of a link weight (0 = all exact).
std::unique_ptr<Backend> make_backend(const Problem& problem, Sharing sharing, double* worst_rounding = nullptr);

}  // namespace gridlock::engine
