// The GPU benchmarks as seen by a program without CUDA: a program of their own, gridlock-measure-cuda, that is built where the
// CUDA Toolkit and NCCL are found. So gridlock itself loads none of the gigabyte of CUDA libraries.
#pragma once

#include "calibrate/measure/device_process.hpp"

namespace gridlock::calibrate {

// The file descriptor on which `gridlock-measure-cuda --serve` speaks the protocol of device_process.hpp.
inline constexpr int serve_socket = 3;

// Becomes gridlock-measure-cuda, which must lie beside the running program. Throws DeviceMissing when it does not.
Child cuda_child();

}  // namespace gridlock::calibrate
