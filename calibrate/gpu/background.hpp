// What runs beside a kernel whose slow-down is measured.
#pragma once

#include <memory>
#include <string>

#include "calibrate/gpu/machine.hpp"

namespace gridlock::calibrate::gpu {

class Background {
 public:
  virtual ~Background() = default;
  virtual void enqueue() = 0;                // one run on all its GPUs
  virtual const Stream& stream() const = 0;  // of its part on device 0
  virtual std::string name() const = 0;
  virtual std::map<std::string, double> numbers() const = 0;  // of its own, for the point
};

// An all-reduce of 256 MiB over all GPUs.
std::unique_ptr<Background> all_reduce_background(Machine& machine);

// A copy of 256 MiB on 16 SMs: a stand-in where there is nobody to reduce with.
std::unique_ptr<Background> copy_background(Machine& machine);

}  // namespace gridlock::calibrate::gpu
