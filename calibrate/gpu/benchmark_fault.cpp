// Every way in which a benchmark can fail, on purpose: the runner must tell each, and measure the next point.
#include <array>

#include "calibrate/gpu/benchmarks.hpp"
#include "calibrate/gpu/kernels.hpp"

namespace gridlock::calibrate::gpu {
namespace {

constexpr double hang_s = 60;  // beyond the time limit of a point; bounded, so that no device is lost to it

}  // namespace

Point cause_fault(Machine& machine, Point point) {
  const std::string& kind = label(point, "kind");
  if (kind == "out_of_memory") {
    const DeviceBuffer too_much(std::size_t{1} << 50);
  } else if (kind == "invalid_call") {
    GRIDLOCK_CALL(cudaMemcpyAsync(nullptr, nullptr, 1, cudaMemcpyHostToDevice, machine.stream()));
    machine.stream().wait();
  } else if (kind == "nccl_usage") {
    std::array<ncclComm_t, 2> communicators{};
    const std::array<int, 2> same_device{0, 0};
    GRIDLOCK_CALL(ncclCommInitAll(communicators.data(), 2, same_device.data()));
  } else if (kind == "illegal_access") {
    GRIDLOCK_CALL(illegal_access(machine.stream()));
    machine.stream().wait();
  } else if (kind == "hang") {
    GRIDLOCK_CALL(spin(hang_s, machine.stream()));
    machine.stream().wait();
  }
  throw DeviceError("fault: '" + kind + "' did not fail");
}

}  // namespace gridlock::calibrate::gpu
