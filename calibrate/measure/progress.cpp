#include "calibrate/measure/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace gridlock::calibrate {
namespace {

// "123 us", and the half of the spread between the quartiles in percent of the median.
std::string times(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  const std::size_t n = seconds.size();
  const double median = (seconds[(n - 1) / 2] + seconds[n / 2]) / 2;
  const double spread = (seconds[3 * (n - 1) / 4] - seconds[(n - 1) / 4]) / 2 / median;
  const char* unit = median < 1e-3 ? "us" : median < 1 ? "ms" : "s";
  const double scale = median < 1e-3 ? 1e6 : median < 1 ? 1e3 : 1;
  return fmt::format("{:.4g} {} +- {:.1f} %", median * scale, unit, 100 * spread);
}

}  // namespace

Progress::Progress(const Tell& tell, const Description& device, const Plan& plan)
    : tell_(tell ? tell : [](const std::string&) {}), points_(plan.size()), left_s_(expected_seconds(plan)) {
  tell_(fmt::format("{}{}: {} points, about {:.0f} s\n", device.devices > 1 ? fmt::format("{} x ", device.devices) : "",
                    device.name, points_, left_s_));
  for (const std::string& limit : device.limits) tell_("note: " + limit + "\n");
}

void Progress::done(const PlannedPoint& planned, const Point& measured) {
  ++seen_;
  left_s_ -= planned.expected_s;
  tell_(fmt::format("[{}/{}, {:.0f} s left] {}: {}\n", seen_, points_, std::max(left_s_, 0.0), describe(planned.point),
                    measured.error.empty() ? times(measured.seconds) : measured.error));
}

void Progress::finish(int measured, int failed, int skipped, bool interrupted) {
  tell_(fmt::format("{} points measured, {} failed, {} skipped in {:.0f} s{}\n", measured, failed, skipped, elapsed_s(),
                    interrupted ? "; interrupted, what was measured so far is saved" : ""));
}

double Progress::elapsed_s() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

}  // namespace gridlock::calibrate
