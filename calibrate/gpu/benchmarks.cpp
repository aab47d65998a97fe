#include "calibrate/gpu/benchmarks.hpp"

#include <fmt/format.h>

#include <cmath>

namespace gridlock::calibrate::gpu {

double number(const Point& point, const std::string& name) {
  const auto found = point.numbers.find(name);
  if (found == point.numbers.end()) throw DeviceError(fmt::format("{}: the point has no number '{}'", point.benchmark, name));
  return found->second;
}

long count(const Point& point, const std::string& name) {
  const double value = number(point, name);
  if (!(value >= 1) || value > 1e15 || value != std::floor(value))
    throw DeviceError(fmt::format("{}: {} must be a positive whole number, not {}", point.benchmark, name, value));
  return static_cast<long>(value);
}

const std::string& label(const Point& point, const std::string& name) {
  const auto found = point.labels.find(name);
  if (found == point.labels.end()) throw DeviceError(fmt::format("{}: the point has no label '{}'", point.benchmark, name));
  return found->second;
}

Point with(Point point, const Timing& timing) {
  point.seconds = timing.seconds;
  point.error.clear();
  point.numbers.insert(timing.readings.begin(), timing.readings.end());
  return point;
}

}  // namespace gridlock::calibrate::gpu
