#include "calibrate/gpu/benchmarks.hpp"

namespace gridlock::calibrate::gpu {

Point measure_stream(Machine& machine, Point point) {
  const StreamKernel kernel = point.benchmark == "copy"    ? StreamKernel::copy
                              : point.benchmark == "scale" ? StreamKernel::scale
                                                           : StreamKernel::triad;
  const auto work = stream_work(machine, kernel, static_cast<double>(count(point, "bytes")));
  return with(std::move(point), time_on_device(machine, *work));
}

}  // namespace gridlock::calibrate::gpu
