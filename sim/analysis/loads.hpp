// Bytes on links over the reported step, by link class (per link), in equal slices of the step.
//
// A flow's bytes are spread evenly over its life; its rate may have varied meanwhile, so a slice is a mean, not a trace.
#pragma once

#include <vector>

#include "sim/analysis/history.hpp"

namespace gridlock::analysis {

struct LinkLoads {
  static constexpr std::size_t slices = 1000;
  double slice_s = 0;
  std::vector<double> bytes;                    // by link class: all bytes in the step
  std::vector<std::vector<float>> slice_bytes;  // by link class and slice
  std::vector<double> capacity;                 // bytes per second

  double mean_utilization(Index link) const;
  double peak_utilization(Index link) const;
  // Mean utilisation between two times (absolute seconds of the timeline).
  double utilization(Index link, double from, double to) const;
  double window_start = 0;
};

LinkLoads measure_loads(const History& history);

}  // namespace gridlock::analysis
