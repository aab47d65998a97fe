#include "sim/model/kernel.hpp"

#include <algorithm>
#include <cassert>
#include <string>

#include "topology/error.hpp"

namespace gridlock::model {

Device device(const topology::GpuSpec& gpu, std::string_view precision) {
  const auto peak = gpu.peak_flops.find(std::string(precision));
  if (peak == gpu.peak_flops.end()) {
    std::string known;
    for (const auto& entry : gpu.peak_flops) known += (known.empty() ? "" : ", ") + entry.first;
    throw topology::SpecError("precision", "GPU " + gpu.name + " has no " + std::string(precision) + " peak", "it has " + known);
  }
  return {peak->second, gpu.hbm_bytes_per_s, gpu.sms};
}

Device without_sms(Device device, int taken) {
  assert(taken >= 0 && taken < device.sms);
  device.peak_flops *= static_cast<double>(device.sms - taken) / device.sms;
  device.sms -= taken;
  return device;
}

KernelTime streaming(double bytes, const MemoryModel& memory, const Device& device, double launches) {
  return {launches * memory.start_s + bytes / (device.hbm_bytes_per_s * memory.efficiency), Bound::memory, 0, bytes};
}

KernelTime fused(double flops, double efficiency, double bytes, const MemoryModel& memory, const Device& device) {
  const double compute_s = flops / (device.peak_flops * efficiency);
  const double memory_s = bytes / (device.hbm_bytes_per_s * memory.efficiency);
  return {memory.start_s + std::max(compute_s, memory_s), compute_s >= memory_s ? Bound::compute : Bound::memory, flops, bytes};
}

double beside_collective(double alone_s, double collective_s, int taken, int sms) {
  assert(taken >= 0 && taken < sms);
  const double share = static_cast<double>(taken) / sms;
  return std::min(alone_s + collective_s * share, alone_s / (1 - share));
}

}  // namespace gridlock::model
