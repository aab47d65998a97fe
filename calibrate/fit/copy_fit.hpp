// Fits copies over a link: t = start + bytes / bandwidth.
//
// Worked example: 64 KiB in 12 us and 256 MiB in 0.72 ms give 379 GB/s and a start of 11.8 us.
#pragma once

#include "calibrate/fit/robust_fit.hpp"
#include "calibrate/fit/summaries.hpp"

namespace gridlock::calibrate {

struct CopyFit {
  std::vector<Point> points;  // as they were fitted: merged
  RobustFit fit;              // terms: `name`, as a share of the wire rate, and "start (NAME)"
};

// `points`: copies with their bytes, over links of the same rate. Needs two sizes: throws std::invalid_argument.
// REQUIRES wire_bytes_per_s > 0.
CopyFit fit_copies(const std::vector<Point>& points, Statistic statistic, const std::string& name, double wire_bytes_per_s);

}  // namespace gridlock::calibrate
