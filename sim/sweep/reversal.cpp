#include "sim/sweep/reversal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/report/format.hpp"
#include "sim/sweep/causes.hpp"
#include "sim/sweep/lines.hpp"

namespace gridlock::sweep {
namespace {

std::string changed_algorithms(const Point& from, const Point& to) {
  std::string text;
  for (const AlgorithmUse& a : to.algorithms) {
    const auto before = std::ranges::find(from.algorithms, a.label, &AlgorithmUse::label);
    if (before == from.algorithms.end() || before->algorithm == a.algorithm) continue;
    text += fmt::format("{}{} runs {} instead of {}", text.empty() ? "" : ", ", a.label, a.algorithm, before->algorithm);
  }
  return text;
}

std::string explain(const Point& from, const Point& to) {
  const Growth more = largest_growth(from, to), less = largest_growth(to, from);
  std::string text = fmt::format("{} grows by {}", describe(more.cause), report::seconds(more.seconds));
  if (less.seconds > 0) text += fmt::format(" while {} shrinks by {}", describe(less.cause), report::seconds(less.seconds));
  const std::string algorithms = changed_algorithms(from, to);
  if (!algorithms.empty()) return text + ": " + algorithms;
  return text +
         ": flows that are faster now take bandwidth from others where they meet (max-min sharing), or meet others in time";
}

}  // namespace

std::vector<Reversal> find_reversals(const ResultFile& file) {
  std::vector<Reversal> reversals;
  visit_lines(file.grid(), [&](const Line& line) {
    const int better = file.grid().axes()[line.axis].better();
    if (better == 0) return;
    std::vector<std::uint64_t> points = line.points;
    if (better < 0) std::ranges::reverse(points);
    std::optional<std::uint64_t> last;
    for (const std::uint64_t point : points) {
      const double step = file.step_s(point);
      if (std::isnan(step)) continue;
      if (last && step > file.step_s(*last) * (1 + least_reversal) && reversals.size() < most_reversals)
        reversals.push_back({line.axis, static_cast<std::int64_t>(*last), static_cast<std::int64_t>(point),
                             step - file.step_s(*last), explain(file.read(*last), file.read(point))});
      last = point;
    }
  });
  return reversals;
}

}  // namespace gridlock::sweep
