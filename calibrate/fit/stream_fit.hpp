// Fits the memory terms of a profile to measured streams: t = start + bytes / bandwidth.
#pragma once

#include "calibrate/fit/robust_fit.hpp"
#include "calibrate/fit/summaries.hpp"

namespace gridlock::calibrate {

struct StreamFit {
  std::vector<Point> points;    // as they were fitted: merged
  RobustFit fit;                // terms memory.efficiency, memory.start
  double peak_bytes_per_s = 0;  // what the efficiency is a share of
};

// Copy, scale and triad together. `peak_bytes_per_s`: the datasheet's; 0 where there is none: the fastest stream's, or the fitted
// bandwidth where that is larger. Throws std::invalid_argument when there are fewer than two.
StreamFit fit_streams(const std::vector<Point>& points, Statistic statistic, double peak_bytes_per_s);

}  // namespace gridlock::calibrate
