// What to measure, in order. A planned point is a Point whose error is `not_measured`; the runner puts times in its place.
#pragma once

#include <vector>

#include "calibrate/point.hpp"

namespace gridlock::calibrate {

inline constexpr const char* not_measured = "not measured";

struct PlannedPoint {
  Point point;
  double expected_s = 0;  // estimate of how long it takes, set-up included
};

using Plan = std::vector<PlannedPoint>;

// Sum of the estimates in seconds: what the user is told before it starts.
double expected_seconds(const Plan& plan);

// A planned point; `labels` and `numbers` as in calibrate/point.hpp.
PlannedPoint planned(std::string benchmark, std::map<std::string, std::string> labels, std::map<std::string, double> numbers,
                     double expected_s);

// "gemm bf16 k=4096 m=8192 n=8192": for progress and messages.
std::string describe(const Point& point);

}  // namespace gridlock::calibrate
