#include "calibrate/fit/copy_fit.hpp"

#include <algorithm>
#include <stdexcept>

#include "calibrate/fit/transfer_problem.hpp"

namespace gridlock::calibrate {
namespace {

// Of no profile: what a copy takes besides its bytes is the host's.
std::string start_of(const std::string& name) { return "start (" + name + ")"; }

}  // namespace

CopyFit fit_copies(const std::vector<Point>& points, Statistic statistic, const std::string& name, double wire_bytes_per_s) {
  CopyFit out;
  out.points = merged(points);
  auto [problem, bytes, fastest] = transfer_problem(out.points, statistic);
  if (bytes.empty() || *std::min_element(bytes.begin(), bytes.end()) == *std::max_element(bytes.begin(), bytes.end()))
    throw std::invalid_argument(name + ": copies of at least two sizes are needed");
  problem.terms = {{name, fastest, 0, "copies of 64 MB and more"}, {start_of(name), 5e-6, 30, "copies of at most 64 KB"}};
  out.fit = robust_fit(problem);
  FittedTerm& bandwidth = out.fit.terms.front();
  bandwidth.value /= wire_bytes_per_s;
  bandwidth.standard_error /= wire_bytes_per_s;
  return out;
}

}  // namespace gridlock::calibrate
