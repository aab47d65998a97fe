#include "calibrate/fit/stream_fit.hpp"

#include <algorithm>

#include "calibrate/fit/transfer_problem.hpp"

namespace gridlock::calibrate {

StreamFit fit_streams(const std::vector<Point>& points, Statistic statistic, double peak_bytes_per_s) {
  StreamFit out;
  for (const Point& point : merged(points))
    if (point.benchmark == "copy" || point.benchmark == "scale" || point.benchmark == "triad") out.points.push_back(point);
  auto [problem, bytes, fastest] = transfer_problem(out.points, statistic);
  problem.terms = {{"memory.efficiency", fastest, 0, "streams of 64 MB and more"},
                   {"memory.start", 2e-6, 5, "streams that take a few microseconds, in memory and not in a cache"}};
  out.fit = robust_fit(problem);
  FittedTerm& bandwidth = out.fit.terms.front();
  out.peak_bytes_per_s = peak_bytes_per_s > 0 ? peak_bytes_per_s : std::max(fastest, bandwidth.value);
  bandwidth.value /= out.peak_bytes_per_s;
  bandwidth.standard_error /= out.peak_bytes_per_s;
  return out;
}

}  // namespace gridlock::calibrate
