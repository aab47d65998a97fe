// Measured GEMMs, as CSV: lines of `#` are comments (the source goes there), then the header `m,n,k,tflops` and a line a shape.
#pragma once

#include <cstdint>
#include <istream>
#include <stdexcept>
#include <string>
#include <vector>

namespace gridlock::calibrate {

struct GemmSample {
  std::int64_t m = 0, n = 0, k = 0;
  double seconds = 0;
};

struct SampleError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws SampleError, with the name and the line, on a wrong header, a malformed or non-positive number, or no shape at all.
std::vector<GemmSample> read_gemm_samples(std::istream& in, const std::string& name);

}  // namespace gridlock::calibrate
