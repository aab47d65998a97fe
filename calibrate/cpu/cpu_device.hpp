// This host as a device: matrix products by a BLAS library, memory bandwidth, the timer. All its threads are one device.
#pragma once

#include "calibrate/cpu/gemm_benchmark.hpp"
#include "calibrate/cpu/mpi_benchmark.hpp"
#include "calibrate/measure/device.hpp"
#include "calibrate/measure/device_process.hpp"

namespace gridlock::calibrate {

struct CpuOptions {
  std::string blas;  // library; empty: OpenBLAS where it is found
  int threads = 0;   // 0: all logical CPUs, or one where they multiply no faster than one (they share a core, or are busy)
};

class CpuDevice final : public Device {
 public:
  // Throws DeviceMissing.
  explicit CpuDevice(const CpuOptions& options);
  Description describe() override;
  Point measure(const Point& planned) override;

 private:
  Blas blas_;
  GemmBenchmark gemm_;
  MpiBenchmark mpi_;
  int threads_ = 1;
  std::string choice_;  // how the number of threads came about
};

// For run_plan(): the device in a process of its own.
Child cpu_child(const CpuOptions& options);

}  // namespace gridlock::calibrate
