// The GPUs of this machine, and what all benchmarks share. Benchmarks of one GPU run on device 0.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "calibrate/gpu/buffer.hpp"
#include "calibrate/gpu/communicators.hpp"
#include "calibrate/gpu/nvml.hpp"
#include "calibrate/gpu/stream.hpp"
#include "calibrate/measure/device.hpp"

namespace gridlock::calibrate::gpu {

class Machine {
 public:
  Machine();  // throws DeviceMissing
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  Description describe() const;
  int devices() const { return static_cast<int>(properties_.size()); }
  const cudaDeviceProp& properties(int device = 0) const { return properties_.at(static_cast<std::size_t>(device)); }

  // Clocks and power of device 0 at this moment (nvml.hpp).
  std::map<std::string, double> readings() const { return nvml_.readings(pci_bus_id_); }

  // Sets of buffers of `bytes` to rotate through, so that none is still in the L2 cache when its turn comes: 2.5 times the cache;
  // at least 2, at most 64, and no more than half of the free memory holds (at least 1).
  int rotating_sets(double bytes) const;

  const Stream& stream() const { return *stream_; }  // on device 0
  cublasLtHandle_t lt() const { return lt_; }
  const DeviceBuffer& workspace() const { return *workspace_; }  // for cuBLASLt, one call at a time

  // The communicator of the first `ranks` GPUs; kept until another size is asked for, as making one takes seconds.
  Communicators& communicators(int ranks);

 private:
  std::vector<cudaDeviceProp> properties_;
  std::string pci_bus_id_;
  Nvml nvml_;
  std::unique_ptr<Stream> stream_;
  cublasLtHandle_t lt_ = nullptr;
  std::unique_ptr<DeviceBuffer> workspace_;
  std::unique_ptr<Communicators> communicators_;
};

}  // namespace gridlock::calibrate::gpu
