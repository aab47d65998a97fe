#include "sim/sweep/knee.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "sim/report/format.hpp"
#include "sim/sweep/between.hpp"
#include "sim/sweep/causes.hpp"

namespace gridlock::sweep {
namespace {

struct Sample {
  double number = 0, step_s = 0;
  std::optional<std::uint64_t> index;  // of the grid
  std::vector<std::string> values;     // of a refining point
};

// The points of a line that did not fail, by ascending number.
std::vector<Sample> samples_of(const ResultFile& file, const Line& line) {
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < line.points.size(); ++i)
    if (const double step = file.step_s(line.points[i]); !std::isnan(step))
      samples.push_back({line.numbers[i], step, line.points[i], {}});
  return samples;
}

Point load(const ResultFile& file, const Sample& s) { return s.index ? file.read(*s.index) : *file.refined(s.values); }

class Search {
 public:
  Search(const ResultFile& file, const Line& line)
      : file_(file),
        line_(line),
        axis_(file.grid().axes()[line.axis]),
        why_not_(count_lines(file.grid()) > most_refined_lines
                     ? fmt::format("the grid has more than {} lines", most_refined_lines)
                     : why_nothing_between(axis_)) {}

  KneeSearch run() {
    const std::vector<Sample> samples = samples_of(file_, line_);
    if (samples.size() < 2) return {};
    const auto best = std::ranges::min_element(samples, {}, &Sample::step_s);
    const double limit = best->step_s * (1 + file_.header().knee_threshold);
    for (auto fast = best; fast != samples.begin(); --fast)
      if (const auto slow = std::prev(fast); slow->step_s > limit) {
        enclose(*best, *slow, *fast, limit);
        break;
      }
    for (auto fast = best; std::next(fast) != samples.end(); ++fast)
      if (const auto slow = std::next(fast); slow->step_s > limit) {
        enclose(*best, *slow, *fast, limit);
        break;
      }
    return std::move(out_);
  }

 private:
  bool narrow(double slow, double fast) const {
    const double width = std::abs(fast - slow);
    return width <= knee_tolerance * std::max(std::abs(fast), std::abs(slow)) || (axis_.whole && width <= 1);
  }

  std::size_t place(const Sample& of_grid) const { return file_.grid().place(*of_grid.index)[line_.axis]; }

  // `from` and `to`: neighbours of the grid on either side of the number.
  std::vector<std::string> values_at(double number, std::size_t from, std::size_t to) const {
    std::vector<std::string> values = file_.grid().values(line_.points.front());
    const auto first = static_cast<std::ptrdiff_t>(file_.grid().first_path(line_.axis));
    std::ranges::move(values_between(axis_, from, to, number), values.begin() + first);
    return values;
  }

  void enclose(const Sample& best, Sample slow, Sample fast, double limit) {
    const std::size_t from = place(slow), to = place(fast);
    std::string why_wide = why_not_;
    while (why_wide.empty() && !narrow(slow.number, fast.number)) {
      const std::vector<double> inner = thirds(slow.number, fast.number, axis_.whole);
      std::vector<Sample> known;
      bool failed = false;
      const std::size_t wanted_before = out_.wanted.size();
      for (const double number : inner) {
        std::vector<std::string> values = values_at(number, from, to);
        const auto point = file_.refined(values);
        if (!point)
          out_.wanted.push_back(std::move(values));
        else if (point->failed())
          failed = true;
        else
          known.push_back({number, point->step_s, std::nullopt, std::move(values)});
      }
      if (failed) why_wide = "a point in between failed";
      if (failed || out_.wanted.size() > wanted_before) break;
      // From the fast end: the first that is too slow encloses the knee with the one before it.
      for (auto s = known.rbegin(); s != known.rend() && slow.number != s->number; ++s) {
        if (s->step_s > limit)
          slow = *s;
        else
          fast = *s;
        if (s->step_s > limit) break;
      }
    }
    report(best, slow, fast, narrow(slow.number, fast.number) ? "" : why_wide);
  }

  void report(const Sample& best, const Sample& slow, const Sample& fast, const std::string& why_wide) {
    Knee knee;
    knee.why_wide = why_wide;
    knee.axis = line_.axis;
    knee.held = line_.held;
    knee.below = slow.number < fast.number;
    knee.fast_value = fast.number, knee.slow_value = slow.number;
    knee.value = slow.number > 0 && fast.number > 0 ? std::sqrt(slow.number * fast.number) : (slow.number + fast.number) / 2;
    if (axis_.whole) knee.value = fast.number;
    knee.plateau_s = best.step_s;
    const Point plateau = load(file_, best), below = load(file_, slow);
    knee.saturated = saturated(best);
    knee.fast_regime = regime(load(file_, fast));
    const Growth growth = largest_growth(plateau, below);
    knee.slow_regime = fmt::format("{}, +{}", describe(growth.cause), report::seconds(growth.seconds));
    out_.knees.push_back(std::move(knee));
  }

  // Whether a tenth more of the value would change the step by less than half a percent, where the range ends at its best.
  bool saturated(const Sample& best) const {
    constexpr double least_elasticity = 0.05;
    const std::vector<Sample> samples = samples_of(file_, line_);
    const bool at_start = best.number == samples.front().number, at_end = best.number == samples.back().number;
    if (!at_start && !at_end) return true;
    const Sample& neighbour = at_end ? samples[samples.size() - 2] : samples[1];
    if (best.number <= 0 || neighbour.number <= 0) return true;
    return std::abs(std::log(neighbour.step_s / best.step_s) / std::log(neighbour.number / best.number)) < least_elasticity;
  }

  const ResultFile& file_;
  const Line& line_;
  const Axis& axis_;
  std::string why_not_;  // empty: points between those of the grid narrow the knee
  KneeSearch out_;
};

}  // namespace

KneeSearch search_knees(const ResultFile& file, const Line& line) {
  if (file.header().knee_threshold <= 0) return {};
  return Search(file, line).run();
}

std::vector<Knee> find_knees(const ResultFile& file) {
  std::vector<Knee> knees;
  visit_lines(file.grid(), [&](const Line& line) {
    KneeSearch found = search_knees(file, line);
    std::ranges::move(found.knees, std::back_inserter(knees));
  });
  return knees;
}

std::vector<std::vector<std::string>> wanted_points(const ResultFile& file) {
  if (count_lines(file.grid()) > most_refined_lines) return {};
  std::set<std::vector<std::string>> wanted;
  visit_lines(file.grid(), [&](const Line& line) {
    for (auto& values : search_knees(file, line).wanted) wanted.insert(std::move(values));
  });
  return {wanted.begin(), wanted.end()};
}

}  // namespace gridlock::sweep
