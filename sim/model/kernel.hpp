// Times of kernels that only move data, and what every kernel's time is made of.
//
//   streaming kernel:  t = start + bytes / (HBM peak * efficiency)                                   [s]
//
// Worked example: LayerNorm forward of 2048 x 12288 bf16 values (read once, written once) on an A100 (2.0 TB/s, efficiency
// 0.85, start 2.5 us): 100.7 MB / 1.7 TB/s + 2.5 us = 61.7 us.
#pragma once

#include <string_view>

#include "sim/model/block.hpp"
#include "sim/model/profile.hpp"
#include "topology/specs.hpp"

namespace gridlock::model {

// What a kernel's time depends on in the GPU.
struct Device {
  double peak_flops = 0;       // dense peak of the precision, FLOP/s
  double hbm_bytes_per_s = 0;  // peak
  int sms = 0;
};

// `precision` is a key of GpuSpec::peak_flops ("bf16"); throws topology::SpecError when the GPU does not have it.
Device device(const topology::GpuSpec& gpu, std::string_view precision);

// The same GPU with `taken` SMs held by somebody else: less arithmetic, the same HBM. REQUIRES 0 <= taken < sms.
Device without_sms(Device device, int taken);

struct KernelTime {
  double device_s = 0;
  Bound bound = Bound::memory;
  double flops = 0;
  double bytes = 0;
};

// One pass over `bytes` of HBM (reads and writes together); `launches` kernels do it.
KernelTime streaming(double bytes, const MemoryModel& memory, const Device& device, double launches = 1);

// A kernel of `flops` at `efficiency` of the peak that also moves `bytes`: start + the larger of the two times.
KernelTime fused(double flops, double efficiency, double bytes, const MemoryModel& memory, const Device& device);

// Time of a kernel that shares the GPU with a collective. The collective holds `taken` of `sms` SMs for `collective_s`; the
// kernel alone would need `alone_s` on all of them. Work is conserved:  alone * sms = (sms - taken) * C + sms * (t - C), so
//   t = alone + C * taken / sms           when the kernel outlasts the collective,
//   t = alone * sms / (sms - taken)       when it does not.
// REQUIRES 0 <= taken < sms.
double beside_collective(double alone_s, double collective_s, int taken, int sms);

}  // namespace gridlock::model
