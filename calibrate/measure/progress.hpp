// What the user sees while points are measured: a line a point, with how long the rest will take.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "calibrate/measure/device.hpp"
#include "calibrate/measure/plan.hpp"

namespace gridlock::calibrate {

class Progress {
 public:
  using Tell = std::function<void(const std::string&)>;

  // Tells the device, what cannot be measured on it, and the estimate.
  Progress(const Tell& tell, const Description& device, const Plan& plan);

  void done(const PlannedPoint& planned, const Point& measured);
  void finish(int measured, int failed, int skipped, bool interrupted);
  double elapsed_s() const;

 private:
  Tell tell_;
  std::size_t points_, seen_ = 0;
  double left_s_;  // estimate of what is left
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace gridlock::calibrate
