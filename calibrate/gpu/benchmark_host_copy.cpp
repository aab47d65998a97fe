// One copy between host and device, waited for: with the host's call and its wake-up, as a program feels it.
#include "calibrate/gpu/benchmarks.hpp"

namespace gridlock::calibrate::gpu {

Point measure_host_copy(Machine& machine, Point point) {
  const auto bytes = static_cast<std::size_t>(count(point, "bytes"));
  const bool to_device = label(point, "direction") == "to_device";
  const HostBuffer host(bytes, label(point, "memory") == "pinned");
  const DeviceBuffer device(bytes);
  const Stream& stream = machine.stream();
  const auto copies = [&](int count) {
    for (int i = 0; i < count; ++i) {
      if (to_device) {
        GRIDLOCK_CALL(cudaMemcpyAsync(device.at(), host.data(), bytes, cudaMemcpyHostToDevice, stream));
      } else {
        GRIDLOCK_CALL(cudaMemcpyAsync(host.data(), device.at(), bytes, cudaMemcpyDeviceToHost, stream));
      }
      stream.wait();
    }
  };
  return with(std::move(point), {time_on_host(copies, 0), {}});
}

}  // namespace gridlock::calibrate::gpu
