// What can be measured: a GPU machine, a CPU host, or a double of one in a test. Benchmarks of one device run one at a time.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "calibrate/point.hpp"

namespace gridlock::calibrate {

// A measurement that failed: what() says which call and how. After an unusable device no later call can work (a CUDA context
// after an illegal access, a communicator after a lost peer), so the process that holds it has to go.
struct DeviceError : std::runtime_error {
  explicit DeviceError(const std::string& what, bool device_is_unusable = false)
      : std::runtime_error(what), unusable(device_is_unusable) {}
  bool unusable;
};

// No such device, or a build that cannot measure it: what() is one sentence that says what is missing.
struct DeviceMissing : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Description {
  std::string name;                     // "NVIDIA H200"
  Provenance provenance;                // driver, library versions, clocks and power state as found
  std::vector<std::string> benchmarks;  // what measure() knows
  std::vector<std::string> dtypes;      // element types of its matrix units
  std::vector<std::string> limits;      // sentences: what cannot be measured here, and why
  int devices = 1;                      // equal devices in this machine
  double memory_bytes = 0;              // free memory of the fullest one
};

class Device {
 public:
  virtual ~Device() = default;
  virtual Description describe() = 0;

  // Measures what `planned` names (its benchmark, labels and numbers) and returns it with times, and with whatever numbers and
  // labels the benchmark adds. Throws DeviceError.
  virtual Point measure(const Point& planned) = 0;
};

}  // namespace gridlock::calibrate
