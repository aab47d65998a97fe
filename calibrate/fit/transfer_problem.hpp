// The fitting problem of transfers, in memory or over a link: t = start + bytes / bandwidth. Terms: bandwidth, start; whoever
// fits names them.
#pragma once

#include "calibrate/fit/robust_fit.hpp"
#include "calibrate/fit/summaries.hpp"

namespace gridlock::calibrate {

struct TransferProblem {
  RobustProblem problem;      // without its terms
  std::vector<double> bytes;  // by point
  double fastest = 0;         // largest bytes / t: what bandwidth is at least
};

// Throws std::invalid_argument when a point has no bytes.
TransferProblem transfer_problem(const std::vector<Point>& points, Statistic statistic);

}  // namespace gridlock::calibrate
