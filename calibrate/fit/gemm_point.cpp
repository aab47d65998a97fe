#include "calibrate/fit/gemm_point.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace gridlock::calibrate {

double bytes_of(const std::string& dtype) {
  if (dtype == "fp64") return 8;
  if (dtype == "fp32" || dtype == "tf32") return 4;
  if (dtype == "bf16" || dtype == "fp16") return 2;
  if (dtype.starts_with("fp8")) return 1;
  throw std::invalid_argument(fmt::format("unknown element type \"{}\" of a matrix product", dtype));
}

model::GemmShape gemm_shape(const Point& point) {
  const auto dimension = [&](const char* name, double absent) {
    const auto found = point.numbers.find(name);
    const double value = found == point.numbers.end() ? absent : found->second;
    if (!(value >= 1) || value > 1e12 || value != std::floor(value))
      throw std::invalid_argument(fmt::format("a gemm point whose {} is no whole number above 0", name));
    return static_cast<std::int64_t>(value);
  };
  const auto dtype = point.labels.find("dtype");
  if (dtype == point.labels.end()) throw std::invalid_argument("a gemm point without a dtype");
  model::GemmShape shape{.m = dimension("m", 0), .n = dimension("n", 0), .k = dimension("k", 0), .batch = dimension("batch", 1)};
  shape.operand_bytes = bytes_of(dtype->second);
  shape.output_bytes = std::max(shape.operand_bytes, 2.0);  // fp8 products are written as bf16
  return shape;
}

}  // namespace gridlock::calibrate
