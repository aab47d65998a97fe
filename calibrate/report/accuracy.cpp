#include "calibrate/report/accuracy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gridlock::calibrate {
namespace {

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double at = share * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (at - static_cast<double>(low)) * (values[high] - values[low]);
}

std::string share(double value) { return fmt::format("{:.1f} %", 100 * value); }

}  // namespace

Quantiles quantiles(const std::vector<double>& errors) {
  std::vector<double> sizes;
  for (const double error : errors) sizes.push_back(std::abs(error));
  return {quantile(sizes, 0.5), quantile(sizes, 0.9)};
}

Accuracy accuracy(const FittedBenchmark& b, Statistic statistic) {
  Accuracy out;
  out.benchmark = b.name;
  out.points = b.points.size();
  out.outliers = static_cast<std::size_t>(std::count(b.fit.outlier.begin(), b.fit.outlier.end(), true));
  std::vector<double> scatter, before;
  for (std::size_t i = 0; i < b.points.size(); ++i) {
    const double fastest = summary_s(b.points[i], Statistic::fastest);
    scatter.push_back(summary_s(b.points[i], Statistic::median) / fastest - 1);
    if (!b.preset_s.empty()) before.push_back(b.preset_s[i] / summary_s(b.points[i], statistic) - 1);
  }
  out.scatter = quantile(scatter, 0.5);
  if (!before.empty()) out.before = quantiles(before);
  out.after = quantiles(b.fit.error);
  out.left_out = quantiles(b.fit.left_out_error);
  return out;
}

std::string accuracy_table(const std::vector<Accuracy>& rows) {
  std::string text = fmt::format("{:<12}{:>8}{:>10}{:>10}  {:>20}{:>20}{:>20}\n{:<12}{:>8}{:>10}{:>10}  {:>20}{:>20}{:>20}\n",
                                 "benchmark", "points", "outliers", "scatter", "before (preset)", "after (fit)", "left out", "",
                                 "", "", "", "median   90 %", "median   90 %", "median   90 %");
  const auto pair = [](const Quantiles& q) { return fmt::format("{:>8}{:>9}", share(q.median), share(q.ninety)); };
  for (const Accuracy& row : rows)
    text += fmt::format("{:<12}{:>8}{:>10}{:>10}  {:>20}{:>20}{:>20}\n", row.benchmark, row.points, row.outliers,
                        share(row.scatter), row.before ? pair(*row.before) : "-", pair(row.after), pair(row.left_out));
  return text;
}

std::string term_text(const FittedTerm& term, const MeasuredProfile& profile) {
  for (const ProfileValue& value : profile.values)
    if (value.key == term.name) return quantity_text(value.value, value.unit);
  return quantity_text(term.value,
                       term.name.ends_with("bandwidth") ? ProfileValue::Unit::bandwidth : ProfileValue::Unit::seconds);
}

std::string term_table(const RobustFit& fit, const MeasuredProfile& profile) {
  std::string text;
  for (const FittedTerm& term : fit.terms) {
    if (term.refused) {
      text += fmt::format("{:<34}{:>14}   {}\n", term.name, "not fitted", term.reason);
    } else {
      text +=
          fmt::format("{:<34}{:>14} +- {:.1f} %\n", term.name, term_text(term, profile), 100 * term.standard_error / term.value);
    }
  }
  return text;
}

std::string residual_table(const FittedBenchmark& b, Statistic statistic) {
  std::string text = fmt::format("{:<32}{:>14}{:>14}{:>10}{:>10}\n", "", "measured us", "fitted us", "error", "left out");
  for (std::size_t i = 0; i < b.points.size(); ++i) {
    const double measured = summary_s(b.points[i], statistic);
    text += fmt::format("{:<32}{:>14.2f}{:>14.2f}{:>+9.1f}%{:>+9.1f}%{}\n", point_label(b.points[i]), measured * 1e6,
                        measured * (1 + b.fit.error[i]) * 1e6, 100 * b.fit.error[i], 100 * b.fit.left_out_error[i],
                        b.fit.outlier[i] ? "  outlier" : "");
  }
  return text;
}

std::string point_label(const Point& point) {
  const auto number = [&](const char* name) {
    const auto found = point.numbers.find(name);
    return found == point.numbers.end() ? 0.0 : found->second;
  };
  if (point.benchmark == "gemm") {
    const auto dtype = point.labels.find("dtype");
    const std::string batch = number("batch") > 1 ? fmt::format(" x {}", number("batch")) : "";
    return fmt::format("{} x {} x {}{} {}", number("m"), number("n"), number("k"), batch,
                       dtype == point.labels.end() ? "" : dtype->second);
  }
  std::string text = point.benchmark;
  for (const auto& [name, word] : point.labels)
    if (name != "dtype") text += " " + word;
  if (point.numbers.contains("from")) text += fmt::format(" {} to {}", number("from"), number("to"));
  if (point.numbers.contains("second")) text += fmt::format(" second {}", number("second"));
  if (point.numbers.contains("ranks")) text += fmt::format(" {} ranks", number("ranks"));
  if (number("nodes") > 1) text += fmt::format(" {} nodes", number("nodes"));
  if (const double bytes = number("bytes"); bytes > 0)
    text += bytes < 1e3   ? fmt::format(" {:.4g} B", bytes)
            : bytes < 1e5 ? fmt::format(" {:.4g} KB", bytes * 1e-3)
                          : fmt::format(" {:.4g} MB", bytes * 1e-6);
  return text;
}

}  // namespace gridlock::calibrate
