// How long a collective takes when nobody else uses its links:
//
//   time = latency + end of the last bundle;   bundle b moves share_b * wire bytes, at most at share_b * cap
//   wire bytes = payload on an edge of the algorithm's graph * wire inflation;   cap = bus cap * wire inflation
//
// The bundles share links as flows do (collectives/fluid.hpp).
#pragma once

#include "collectives/pattern.hpp"
#include "collectives/tuning.hpp"

namespace gridlock::collectives {

// `bytes` as nccl-tests counts. REQUIRES a pattern of the choice's algorithm.
double idle_time_s(const topology::Fabric& fabric, const Pattern& pattern, const Choice& choice, Kind kind, int ranks,
                   double bytes);

}  // namespace gridlock::collectives
