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

// A process that drives several GPUs launches a call on one after the other, so calls follow each other no faster than this times
// its GPUs. Tables of validation/nccl.yaml: 3.7 us on azure_h200_8_ar_nvls, 5.5 us on stas_a100_8_ar, eight GPUs each.
constexpr double launch_s_per_gpu = 4e-6;

// `bytes` as nccl-tests counts. REQUIRES a pattern of the choice's algorithm.
double idle_time_s(const topology::Fabric& fabric, const Pattern& pattern, const Choice& choice, Kind kind, int ranks,
                   double bytes);

}  // namespace gridlock::collectives
