#include <algorithm>

#include "calibrate/measure/gpu_plan_parts.hpp"

namespace gridlock::calibrate {
namespace {

void pair_points(GpuPlan kind, int devices, Plan& plan) {
  std::vector<double> sizes = {64 * KiB, 256 * MiB};
  if (kind == GpuPlan::check) sizes = {64 * KiB};
  for (int from = 0; from < devices; ++from)
    for (int to = 0; to < devices; ++to)
      for (const double bytes : sizes)
        if (from != to)
          plan.push_back(planned("peer_copy", {}, {{"from", from}, {"to", to}, {"bytes", bytes}}, 0.1 + bytes / 1e9));
}

// 2, 4, 8, ... and all.
std::vector<int> group_sizes(GpuPlan kind, int devices) {
  std::vector<int> sizes;
  if (kind != GpuPlan::quick)
    for (int ranks = 2; ranks < devices; ranks *= 2) sizes.push_back(ranks);
  sizes.push_back(devices);
  return sizes;
}

std::vector<double> message_sizes(GpuPlan kind) {
  if (kind == GpuPlan::check) return {8, 64 * KiB};
  std::vector<double> sizes;
  const double factor = kind == GpuPlan::quick ? 64 : 4;
  for (double bytes = 8; bytes <= 8 * GiB; bytes *= factor) sizes.push_back(bytes);
  return sizes;
}

}  // namespace

Plan fabric_points(GpuPlan kind, const Description& machine) {
  Plan plan;
  if (machine.devices < 2 && kind != GpuPlan::check) return plan;
  pair_points(kind, machine.devices, plan);
  for (const int ranks : group_sizes(kind, machine.devices)) {
    bool first = true;  // makes the communicator
    for (const char* collective : {"all_reduce", "all_gather", "reduce_scatter", "all_to_all", "sendrecv"}) {
      for (const double bytes : message_sizes(kind)) {
        // Send and receive buffer at once; every rank's share at least an element.
        if (bytes > 0.35 * machine.memory_bytes || bytes < 4 * ranks) continue;
        const double expected = (first ? 5 : 0) + 0.15 + 20 * bytes / 100e9;
        plan.push_back(planned(collective, {{"dtype", "fp32"}}, {{"ranks", ranks}, {"bytes", bytes}}, expected));
        first = false;
      }
    }
  }
  return plan;
}

}  // namespace gridlock::calibrate
