// What to measure on a machine with GPUs. The plan depends on the machine: element types, memory, number of GPUs.
//
// Estimates: a point costs its set-up, then about 0.15 s of timed work or ten runs, whichever is longer; kernel times are
// guessed from rates that an A100 reaches, so that newer devices finish earlier.
#pragma once

#include <string>
#include <vector>

#include "calibrate/measure/device.hpp"
#include "calibrate/measure/plan.hpp"

namespace gridlock::calibrate {

enum class GpuPlan {
  quick,     // a minute: enough for a first profile
  full,      // under six minutes on one device
  held_out,  // GEMM shapes that neither of them has, to judge a fit by
  check,     // a point or two of every benchmark, and every way a benchmark can fail: for calibrate/gpu/check.sh
};

// The plan of that name; throws std::invalid_argument, naming the ones there are.
GpuPlan gpu_plan_named(const std::string& name);

Plan make_gpu_plan(GpuPlan kind, const Description& machine);

// The points of these benchmarks; all when the list is empty. Throws std::invalid_argument for a name that the plan has not.
Plan only(const Plan& plan, const std::vector<std::string>& benchmarks);

}  // namespace gridlock::calibrate
