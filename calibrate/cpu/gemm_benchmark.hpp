// Matrix products by the BLAS library: points "gemm" of dtype fp32 or fp64, one product at a time (batch 1).
#pragma once

#include <vector>

#include "calibrate/cpu/blas.hpp"
#include "calibrate/cpu/timing.hpp"
#include "calibrate/point.hpp"

namespace gridlock::calibrate {

class GemmBenchmark {
 public:
  explicit GemmBenchmark(const Blas& blas) : blas_(blas) {}

  // `planned` with its times. Each call takes the next operands of a pool, so that they come from memory, as in a program that
  // does other things between two products. Throws DeviceError on a shape or type that it cannot do.
  Point measure(const Point& planned, const Repeats& repeats);

  static constexpr std::size_t pool_bytes = std::size_t{1} << 27;  // of A, of B and of C

 private:
  template <typename Number>
  struct Pools {
    std::vector<Number> a, b, c;
  };
  template <typename Number>
  std::vector<double> times(Pools<Number>& pools, const Point& planned, const Repeats& repeats);

  const Blas& blas_;
  Pools<float> single_;
  Pools<double> double_;
};

}  // namespace gridlock::calibrate
