#include "calibrate/measure/plan.hpp"

#include <fmt/format.h>

#include <utility>

namespace gridlock::calibrate {

double expected_seconds(const Plan& plan) {
  double sum = 0;
  for (const PlannedPoint& planned : plan) sum += planned.expected_s;
  return sum;
}

PlannedPoint planned(std::string benchmark, std::map<std::string, std::string> labels, std::map<std::string, double> numbers,
                     double expected_s) {
  return {{std::move(benchmark), std::move(labels), std::move(numbers), {}, not_measured}, expected_s};
}

std::string describe(const Point& point) {
  std::string text = point.benchmark;
  for (const auto& [name, value] : point.labels) text += " " + value;
  for (const auto& [name, value] : point.numbers) text += fmt::format(" {}={:.10g}", name, value);
  return text;
}

}  // namespace gridlock::calibrate
