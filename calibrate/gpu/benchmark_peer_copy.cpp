// One copy from a GPU to another: over NVLink or PCIe where the pair can reach each other, else through the host.
#include "calibrate/gpu/benchmarks.hpp"

namespace gridlock::calibrate::gpu {
namespace {

// True when `from` can write to `to`; access stays on for the process.
bool reach(int from, int to) {
  int possible = 0;
  GRIDLOCK_CALL(cudaDeviceCanAccessPeer(&possible, from, to));
  if (possible == 0) return false;
  const cudaError_t result = cudaDeviceEnablePeerAccess(to, 0);
  if (result == cudaErrorPeerAccessAlreadyEnabled) {
    (void)cudaGetLastError();
  } else {
    check(result, "cudaDeviceEnablePeerAccess");
  }
  return true;
}

int device_number(const Machine& machine, const Point& point, const std::string& name) {
  const double value = number(point, name);
  if (!(value >= 0 && value < machine.devices()))
    throw DeviceError("peer_copy: there is no GPU " + std::to_string(static_cast<long>(value)));
  return static_cast<int>(value);
}

struct ToFirstDevice {
  ~ToFirstDevice() { (void)cudaSetDevice(0); }
};

}  // namespace

Point measure_peer_copy(Machine& machine, Point point) {
  const int from = device_number(machine, point, "from"), to = device_number(machine, point, "to");
  if (from == to) throw DeviceError("peer_copy: needs two GPUs");
  const auto bytes = static_cast<std::size_t>(count(point, "bytes"));
  const ToFirstDevice back;
  GRIDLOCK_CALL(cudaSetDevice(to));
  const DeviceBuffer target(bytes);
  GRIDLOCK_CALL(cudaSetDevice(from));
  const DeviceBuffer source(bytes);
  point.labels["path"] = reach(from, to) ? "direct" : "through_host";
  const Stream stream;
  const auto copies = [&](int count) {
    for (int i = 0; i < count; ++i) GRIDLOCK_CALL(cudaMemcpyPeerAsync(target.at(), to, source.at(), from, bytes, stream));
    stream.wait();
  };
  return with(std::move(point), {time_on_host(copies, 1e-3), {}});
}

}  // namespace gridlock::calibrate::gpu
