// The GPUs of this machine as a Device (calibrate/measure/device.hpp).
#pragma once

#include <memory>

#include "calibrate/measure/device.hpp"

namespace gridlock::calibrate::gpu {

// Throws DeviceMissing when there is no GPU, or no driver for it.
std::unique_ptr<Device> open_cuda_device();

}  // namespace gridlock::calibrate::gpu
