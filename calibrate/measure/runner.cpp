#include "calibrate/measure/runner.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "calibrate/measure/point_log.hpp"
#include "calibrate/measure/progress.hpp"
#include "calibrate/measure/serve.hpp"

namespace gridlock::calibrate {
namespace {

using Answer = DeviceProcess::Answer;

class Run {
 public:
  Run(const Child& child, const RunRequest& request) : child_(child), request_(request) {}

  RunOutcome go() {
    if (!start()) {
      outcome_.interrupted = true;
      return outcome_;
    }
    const Plan plan = request_.plan(outcome_.device);
    Provenance provenance = outcome_.device.provenance;
    provenance.insert(request_.provenance.begin(), request_.provenance.end());
    PointLog log(request_.path, provenance);
    Progress progress(request_.tell, outcome_.device, plan);
    for (const PlannedPoint& planned : plan) {
      const std::optional<Point> point = measure(planned, progress.elapsed_s());
      if (!point) {
        outcome_.interrupted = true;
        break;
      }
      log.append(*point);
      progress.done(planned, *point);
    }
    if (process_) process_->end(outcome_.interrupted ? 0.2 : 20);  // a device closes in its own time, and its tools report
    progress.finish(outcome_.measured, outcome_.failed, outcome_.skipped, outcome_.interrupted);
    return outcome_;
  }

 private:
  // False when the user interrupted it. Throws as run_plan().
  bool start() {
    process_ = std::make_unique<DeviceProcess>(child_);
    std::string line;
    const Answer answer = process_->read_line(line, request_.limits.start_s, interrupt_);
    if (answer == Answer::line) outcome_.device = read_description(line);
    if (answer == Answer::line || answer == Answer::interrupted) return answer == Answer::line;
    const std::string end = process_->end();
    if (answer == Answer::ended) throw DeviceMissing("the measuring process ended before it described its device: " + end);
    throw DeviceMissing(fmt::format("the device did not open within {:.4g} s", request_.limits.start_s));
  }

  // As start(), after a loss: a device that does not come back ends the measuring, not the program.
  bool start_again() {
    try {
      return start();
    } catch (const DeviceMissing& error) {
      process_.reset();
      gone_ = fmt::format("skipped: the device did not open again: {}", error.what());
      return true;
    }
  }

  std::string reason_to_skip(const Point& point, double elapsed_s) const {
    if (!gone_.empty()) return gone_;
    if (elapsed_s > request_.limits.budget_s)
      return fmt::format("skipped: the time budget of {:.4g} s is used up", request_.limits.budget_s);
    if (point.benchmark == losing_benchmark_ && losses_ >= request_.limits.losses_in_a_row)
      return fmt::format("skipped: {} cost the measuring process {} times in a row", point.benchmark, losses_);
    return "";
  }

  // Nothing when the user interrupted it.
  std::optional<Point> measure(const PlannedPoint& planned, double elapsed_s) {
    Point point = planned.point;
    std::string skipped = reason_to_skip(point, elapsed_s);
    if (skipped.empty() && !process_) {
      if (!start_again()) return std::nullopt;
      skipped = gone_;
    }
    if (!skipped.empty()) {
      point.error = skipped;
      ++outcome_.skipped;
      return point;
    }
    if (!ask(planned, point)) return std::nullopt;
    ++(point.error.empty() ? outcome_.measured : outcome_.failed);
    return point;
  }

  // Puts times or an error into `point`; false when the user interrupted it.
  bool ask(const PlannedPoint& planned, Point& point) {
    const double limit_s = request_.limits.point_floor_s + request_.limits.point_factor * planned.expected_s;
    std::string line;
    Answer answer = Answer::ended;
    if (process_->send_line(point_line(planned.point))) answer = process_->read_line(line, limit_s, interrupt_);
    if (answer == Answer::interrupted) return false;
    if (answer == Answer::line) {
      DeviceAnswer got = read_answer(line);
      point = std::move(got.point);
      if (!got.unusable) {
        if (point.error.empty()) losses_ = 0;
        return true;
      }
    }
    const std::string end = process_->end();
    process_.reset();
    if (answer == Answer::timed_out) point.error = fmt::format("timed out after {:.4g} s", limit_s);
    if (answer == Answer::ended) point.error = "the measuring process ended: " + end;
    losses_ = point.benchmark == losing_benchmark_ ? losses_ + 1 : 1;
    losing_benchmark_ = point.benchmark;
    return true;
  }

  const Child& child_;
  const RunRequest& request_;
  InterruptGuard interrupt_;
  std::unique_ptr<DeviceProcess> process_;
  RunOutcome outcome_;
  std::string gone_;  // why no later point can be measured
  std::string losing_benchmark_;
  int losses_ = 0;
};

}  // namespace

RunOutcome run_plan(const Child& child, const RunRequest& request) { return Run(child, request).go(); }

}  // namespace gridlock::calibrate
