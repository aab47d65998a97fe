#include "calibrate/gpu/benchmarks.hpp"

namespace gridlock::calibrate::gpu {

Point measure_softmax(Machine& machine, Point point) {
  if (label(point, "dtype") != "bf16" || count(point, "columns") % 2 != 0)
    throw DeviceError("softmax: bf16 rows of an even number of columns");
  const auto work =
      softmax_work(machine, static_cast<std::size_t>(count(point, "rows")), static_cast<std::size_t>(count(point, "columns")));
  return with(std::move(point), time_on_device(machine, *work));
}

}  // namespace gridlock::calibrate::gpu
