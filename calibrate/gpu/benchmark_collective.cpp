#include "calibrate/gpu/benchmarks.hpp"
#include "calibrate/gpu/collectives.hpp"

namespace gridlock::calibrate::gpu {

// As nccl-tests times them: calls back to back, the host's clock around the batch.
Point measure_collective(Machine& machine, Point point) {
  const long ranks = count(point, "ranks");
  if (ranks > machine.devices()) throw DeviceError(point.benchmark + ": more ranks than GPUs");
  const Collective collective(point.benchmark, machine.communicators(static_cast<int>(ranks)), number(point, "bytes"));
  const auto calls = [&](int count) {
    for (int i = 0; i < count; ++i) collective.enqueue();
    collective.wait();
  };
  const std::vector<double> seconds = time_on_host(calls, 2e-3);
  point.numbers["bytes"] = collective.bytes();
  if (const auto estimate = collective.estimate_s()) point.numbers["estimate_s"] = *estimate;
  return with(std::move(point), {seconds, machine.readings()});
}

}  // namespace gridlock::calibrate::gpu
