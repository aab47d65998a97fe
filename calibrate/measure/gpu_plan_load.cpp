#include "calibrate/measure/gpu_plan_parts.hpp"

namespace gridlock::calibrate {

Plan load_points(GpuPlan kind, const Description& machine) {
  Plan plan;
  const double edge = kind == GpuPlan::check ? 512 : 4096;
  for (const char* kernel : {"gemm", "attention", "elementwise"})
    for (const char* mode : {"alone", machine.devices > 1 ? "with_all_reduce" : "with_copy"})
      plan.push_back(planned("overlap", {{"kernel", kernel}, {"mode", mode}}, {{"size", edge}, {"ranks", machine.devices}}, 1));
  // Three idle seconds first, so that each starts from the same clocks.
  std::vector<double> seconds = {1, 10};
  if (kind == GpuPlan::quick) seconds = {1, 5};
  if (kind == GpuPlan::check) seconds = {1};
  const double sustained_edge = kind == GpuPlan::check ? 1024 : 8192;
  for (const double second : seconds)
    plan.push_back(planned("sustained", {{"dtype", "bf16"}},
                           {{"second", second}, {"m", sustained_edge}, {"n", sustained_edge}, {"k", sustained_edge}},
                           second + 4));
  return plan;
}

Plan fault_points() {
  Plan plan;
  for (const char* kind : {"out_of_memory", "invalid_call", "nccl_usage", "illegal_access", "hang"}) {
    plan.push_back(planned("fault", {{"kind", kind}}, {}, 0));
    plan.push_back(planned("gemm", {{"dtype", "bf16"}}, {{"m", 256}, {"n", 256}, {"k", 256}, {"batch", 1}}, 0.4));
  }
  return plan;
}

}  // namespace gridlock::calibrate
