#include "sim/sweep/between.hpp"

#include <fmt/format.h>

#include <cmath>

#include "sim/sweep/number.hpp"
#include "sim/sweep/paths.hpp"

namespace gridlock::sweep {
namespace {

// The values of one path in the unit of the first; empty when they are not all numbers of one kind.
std::vector<double> numbers_of(const Axis& axis, std::size_t path) {
  std::vector<double> numbers;
  const auto first = split_number(axis.values.front()[path]);
  for (const std::vector<std::string>& value : axis.values) {
    const auto number = split_number(value[path]);
    const auto same = number && first ? in_unit(*number, first->unit) : std::nullopt;
    if (!same) return {};
    numbers.push_back(*same);
  }
  return numbers;
}

double on_the_way(double from, double to, double share) {
  return from > 0 && to > 0 ? from * std::pow(to / from, share) : from + (to - from) * share;
}

double share_of(double from, double to, double number) {
  return from > 0 && to > 0 ? std::log(number / from) / std::log(to / from) : (number - from) / (to - from);
}

}  // namespace

std::string why_nothing_between(const Axis& axis) {
  if (axis.paths.size() == 1) return "";
  for (std::size_t p = 0; p < axis.paths.size(); ++p) {
    if (numbers_of(axis, p).empty()) return axis.paths[p] + ", zipped, has no values in between";
    if (check_path(axis.paths[p])) return axis.paths[p] + ", zipped, holds whole numbers: nothing in between surely fits";
  }
  return "";
}

std::vector<std::string> values_between(const Axis& axis, std::size_t from, std::size_t to, double number) {
  std::vector<std::string> values{fmt::format("{:.10g}{}", number, axis.unit)};
  const double share = share_of(axis.numbers[from], axis.numbers[to], number);
  for (std::size_t p = 1; p < axis.paths.size(); ++p) {
    const std::vector<double> numbers = numbers_of(axis, p);
    values.push_back(
        fmt::format("{:.10g}{}", on_the_way(numbers[from], numbers[to], share), split_number(axis.values.front()[p])->unit));
  }
  return values;
}

std::vector<double> thirds(double from, double to, bool whole) {
  std::vector<double> values;
  for (const double share : {1.0 / 3, 2.0 / 3}) {
    const double value = whole ? std::round(on_the_way(from, to, share)) : on_the_way(from, to, share);
    if (value != from && value != to && (values.empty() || values.back() != value)) values.push_back(value);
  }
  return values;
}

}  // namespace gridlock::sweep
