// What to measure on a CPU, and in which order.
//
// Shapes of products are drawn log-uniformly between 16 and 4096, and from the layers of small transformers; a product takes at
// most a tenth of a second on a core of 80 GFLOP/s. Every shape stands in the plan `rounds` times, each round in an order of its
// own, so that a moment in which others use the machine spoils a repeat and not a shape.
#pragma once

#include <cstdint>

#include "calibrate/measure/device.hpp"
#include "calibrate/measure/plan.hpp"

namespace gridlock::calibrate {

struct CpuPlan {
  int shapes = 100;
  int rounds = 3;
  std::uint64_t seed = 1;
  std::string dtype = "fp32";
  double seconds_per_point = 0.12;  // estimate
};

// Timer, memory bandwidth, all-reduces where the machine can, and matrix products. REQUIRES memory for the largest arrays: sizes
// follow the machine's.
Plan cpu_plan(const CpuPlan& plan, const Description& machine);

// Matrix products of other shapes alone, none of which cpu_plan() with the same values has: to judge a fit by.
Plan unseen_cpu_plan(const CpuPlan& plan, int shapes);

}  // namespace gridlock::calibrate
