#include "calibrate/measure/gpu_plan_parts.hpp"

namespace gridlock::calibrate {
namespace {

void stream_points(GpuPlan kind, const Description& machine, Plan& plan) {
  std::vector<double> sizes = {1 * MiB, 4 * MiB, 16 * MiB, 64 * MiB, 256 * MiB, 1 * GiB, 4 * GiB};
  if (kind == GpuPlan::quick) sizes = {4 * MiB, 64 * MiB, 1 * GiB};
  if (kind == GpuPlan::check) sizes = {3 * MiB};
  for (const char* kernel : {"copy", "scale", "triad"})
    for (const double bytes : sizes)
      if (bytes < 0.4 * machine.memory_bytes) plan.push_back(planned(kernel, {{"dtype", "fp32"}}, {{"bytes", bytes}}, 0.3));
}

void host_points(GpuPlan kind, Plan& plan) {
  std::vector<double> sizes = {4 * KiB, 256 * KiB, 16 * MiB, 256 * MiB};
  if (kind == GpuPlan::quick) sizes = {4 * KiB, 256 * MiB};
  if (kind == GpuPlan::check) sizes = {64 * KiB};
  for (const char* direction : {"to_device", "to_host"})
    for (const char* memory : {"pinned", "pageable"})
      for (const double bytes : sizes)
        plan.push_back(
            planned("host_copy", {{"direction", direction}, {"memory", memory}}, {{"bytes", bytes}}, 0.3 + bytes / 0.5e9));
}

}  // namespace

Plan memory_points(GpuPlan kind, const Description& machine) {
  Plan plan;
  stream_points(kind, machine, plan);
  for (const char* graph : {"no", "yes"}) plan.push_back(planned("launch", {{"graph", graph}}, {}, 0.3));
  host_points(kind, plan);
  return plan;
}

}  // namespace gridlock::calibrate
