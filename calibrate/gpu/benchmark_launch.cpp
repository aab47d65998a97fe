// What a kernel costs at least: launched one by one (the host's dispatch interval), or replayed as a graph.
#include "calibrate/gpu/benchmarks.hpp"
#include "calibrate/gpu/kernels.hpp"

namespace gridlock::calibrate::gpu {
namespace {

constexpr int kernels = 1000;  // the queue holds about as many; more would time the device

}  // namespace

Point measure_launch(Machine& machine, Point point) {
  const Stream& stream = machine.stream();
  const auto launch_all = [&stream] {
    for (int i = 0; i < kernels; ++i) GRIDLOCK_CALL(empty(stream));
  };
  std::vector<double> seconds;
  if (label(point, "graph") == "yes") {
    launch_all();  // a kernel that was never launched cannot be loaded while it is recorded
    stream.wait();
    const Graph graph(stream, launch_all);
    const auto replay = [&](int count) {
      for (int i = 0; i < count; ++i) graph.launch(stream);
      stream.wait();
    };
    seconds = time_on_host(replay, 0);
  } else {
    const auto launch = [&](int count) {
      for (int i = 0; i < count; ++i) launch_all();
      stream.wait();
    };
    seconds = time_on_host(launch, 0);
  }
  for (double& s : seconds) s /= kernels;
  point.numbers["kernels"] = kernels;
  return with(std::move(point), {seconds, machine.readings()});
}

}  // namespace gridlock::calibrate::gpu
