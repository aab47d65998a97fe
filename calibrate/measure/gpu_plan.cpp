#include "calibrate/measure/gpu_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "calibrate/measure/gpu_plan_parts.hpp"

namespace gridlock::calibrate {

GpuPlan gpu_plan_named(const std::string& name) {
  if (name == "quick") return GpuPlan::quick;
  if (name == "full") return GpuPlan::full;
  if (name == "held-out") return GpuPlan::held_out;
  if (name == "check") return GpuPlan::check;
  throw std::invalid_argument(fmt::format("unknown plan '{}'; there are quick, full, held-out and check", name));
}

void append(Plan& plan, Plan more) {
  plan.insert(plan.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

Plan make_gpu_plan(GpuPlan kind, const Description& machine) {
  Plan plan = gemm_points(kind, machine);
  if (kind == GpuPlan::held_out) return plan;
  append(plan, attention_points(kind, machine));
  append(plan, memory_points(kind, machine));
  append(plan, fabric_points(kind, machine));
  append(plan, load_points(kind, machine));
  if (kind == GpuPlan::check) append(plan, fault_points());
  return plan;
}

Plan only(const Plan& plan, const std::vector<std::string>& benchmarks) {
  if (benchmarks.empty()) return plan;
  const auto wanted = [&](const PlannedPoint& planned) {
    return std::find(benchmarks.begin(), benchmarks.end(), planned.point.benchmark) != benchmarks.end();
  };
  for (const std::string& name : benchmarks)
    if (std::none_of(plan.begin(), plan.end(), [&](const PlannedPoint& planned) { return planned.point.benchmark == name; }))
      throw std::invalid_argument(fmt::format("this plan has no benchmark '{}' on this machine", name));
  Plan chosen;
  std::copy_if(plan.begin(), plan.end(), std::back_inserter(chosen), wanted);
  return chosen;
}

}  // namespace gridlock::calibrate
