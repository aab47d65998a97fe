// Goes through a plan of points on a device in a child process, and saves each as it comes. Whatever happens on the way
// (errors, crashes, hangs, Ctrl-C) the file holds every point that was measured and says why the others were not.
//
// - A point that takes longer than its limit: the child is killed, the point says so, a new child goes on with the next.
// - A child that dies, or a device that became unusable: likewise.
// - A benchmark that loses its child `losses_in_a_row` times in a row is given up: its other points are skipped.
// - Beyond `budget_s` the rest is skipped.
// Skipped points stand in the file with the reason as their error.
#pragma once

#include <functional>
#include <limits>
#include <string>

#include "calibrate/measure/device_process.hpp"
#include "calibrate/measure/plan.hpp"

namespace gridlock::calibrate {

struct RunLimits {
  double start_s = 120;       // for opening and describing the device (the first CUDA call loads a gigabyte of libraries)
  double point_floor_s = 30;  // a point may take this long,
  double point_factor = 20;   // plus this many times its estimate
  int losses_in_a_row = 2;
  double budget_s = std::numeric_limits<double>::infinity();
};

struct RunRequest {
  std::function<Plan(const Description&)> plan;
  std::string path;       // the file of points, made once the device is open
  Provenance provenance;  // what the caller knows (date, command); the device adds its own
  RunLimits limits;
  std::function<void(const std::string&)> tell;  // progress: a line with its newline
};

struct RunOutcome {
  Description device;
  int measured = 0, failed = 0, skipped = 0;
  bool interrupted = false;
  bool nothing() const { return measured == 0; }
};

// Throws DeviceMissing when there is no device, or its process ends or hangs before it has described it (no file is made);
// PointError when the file cannot be written.
RunOutcome run_plan(const Child& child, const RunRequest& request);

}  // namespace gridlock::calibrate
