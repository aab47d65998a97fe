// SimGrid's flows weigh a link by how often their route lists it, so weights must be small integers: each link's weights are
// brought to a common denominator and divided by their greatest common divisor, its capacity likewise.
//
// Worked example: weights 1.5 and 1 on 50 GB/s become 3 and 2 on 100 GB/s: 3 r1 + 2 r2 <= 100 is 1.5 r1 + r2 <= 50.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/engine/problem.hpp"

namespace gridlock::engine {

struct IntegerWeights {
  std::vector<std::uint32_t> multiplicity;  // by entry of Problem::flow_links
  std::vector<double> bytes_per_s;          // by link class, on the scale of the multiplicities
  double worst_rounding = 0;                // largest relative change of a weight; 0 = exact
};

// Multiplicities above `most` are rounded (relative error at most 1 / most).
IntegerWeights integer_weights(const Problem& problem, std::uint32_t most = 8192);

}  // namespace gridlock::engine
