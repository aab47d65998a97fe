#include "calibrate/fit/transfer_problem.hpp"

#include <algorithm>
#include <stdexcept>

namespace gridlock::calibrate {

TransferProblem transfer_problem(const std::vector<Point>& points, Statistic statistic) {
  TransferProblem out;
  for (const Point& point : points) {
    const auto found = point.numbers.find("bytes");
    if (found == point.numbers.end() || !(found->second > 0)) throw std::invalid_argument(point.benchmark + " without its bytes");
    out.bytes.push_back(found->second);
    out.problem.measured.push_back(summary_s(point, statistic));
    out.fastest = std::max(out.fastest, out.bytes.back() / out.problem.measured.back());
  }
  out.problem.model = [bytes = out.bytes](const std::vector<double>& terms, std::size_t i) {
    return terms[1] + bytes[i] / terms[0];
  };
  out.problem.least_spread = 0.005;
  return out;
}

}  // namespace gridlock::calibrate
