// Measured matrix products of a CSV file as points: columns m, n, k, dtype, optionally batch, and one of time (seconds), time_ms,
// time_us or tflops, in any order, named in the first line that is no comment (#).
#pragma once

#include <istream>
#include <string>
#include <vector>

#include "calibrate/point.hpp"

namespace gridlock::calibrate {

// Throws PointError ("NAME:LINE: ...") on a missing column, a malformed or non-positive number, or no product at all.
std::vector<Point> read_gemm_csv(std::istream& in, const std::string& name);

}  // namespace gridlock::calibrate
