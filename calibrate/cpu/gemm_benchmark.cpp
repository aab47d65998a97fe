#include "calibrate/cpu/gemm_benchmark.hpp"

#include <fmt/format.h>

#include <cmath>

#include "calibrate/cpu/buffers.hpp"
#include "calibrate/measure/device.hpp"

namespace gridlock::calibrate {
namespace {

std::size_t dimension(const Point& point, const std::string& name) {
  const auto found = point.numbers.find(name);
  const double value = found == point.numbers.end() ? 0 : found->second;
  if (!(value >= 1) || value > 1e6 || value != std::floor(value))
    throw DeviceError(fmt::format("{} of a product must be a whole number from 1 to 1,000,000", name));
  return static_cast<std::size_t>(value);
}

}  // namespace

template <typename Number>
std::vector<double> GemmBenchmark::times(Pools<Number>& pools, const Point& planned, const Repeats& repeats) {
  const std::size_t m = dimension(planned, "m"), n = dimension(planned, "n"), k = dimension(planned, "k");
  const std::size_t elements = pool_bytes / sizeof(Number);
  if (m * k > elements || k * n > elements || m * n > elements)
    throw DeviceError(fmt::format("{} x {} x {} needs a matrix of more than {} MB", m, n, k, pool_bytes >> 20));
  if (pools.a.empty()) {
    for (std::vector<Number>* pool : {&pools.a, &pools.b, &pools.c}) pool->resize(elements), fill(*pool);
  }
  const Rotation a(pools.a, m * k), b(pools.b, k * n), c(pools.c, m * n);
  return time_repeats(repeats, [&](int i) {
    blas_.multiply(static_cast<int>(m), static_cast<int>(n), static_cast<int>(k), a.block(i), b.block(i), c.block(i));
  });
}

Point GemmBenchmark::measure(const Point& planned, const Repeats& repeats) {
  Point point = planned;
  point.error.clear();
  const auto dtype = planned.labels.find("dtype");
  const std::string type = dtype == planned.labels.end() ? "" : dtype->second;
  if (type == "fp32") {
    point.seconds = times(single_, planned, repeats);
  } else if (type == "fp64") {
    point.seconds = times(double_, planned, repeats);
  } else {
    throw DeviceError(fmt::format("the BLAS library multiplies fp32 and fp64, not \"{}\"", type));
  }
  return point;
}

}  // namespace gridlock::calibrate
