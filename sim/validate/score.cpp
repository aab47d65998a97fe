#include "sim/validate/score.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <tuple>

namespace gridlock::validate {

Band band_of(double bytes) {
  constexpr double mib = 1024.0 * 1024;
  return bytes < mib ? Band::small : bytes < 64 * mib ? Band::middle : Band::large;
}

std::string_view name(Band band) {
  switch (band) {
    case Band::small:
      return "under 1 MiB";
    case Band::middle:
      return "1 to 64 MiB";
    case Band::large:
      return "64 MiB and more";
  }
  throw std::logic_error("band out of range");
}

std::string_view name(Basis basis) {
  switch (basis) {
    case Basis::unseen:
      return "unseen";
    case Basis::fitted:
      return "fitted";
    case Basis::left_out:
      return "left out";
  }
  throw std::logic_error("basis out of range");
}

double weighted_quantile(std::vector<std::pair<double, double>> values, double share) {
  if (values.empty()) throw std::logic_error("a quantile of nothing");
  std::ranges::sort(values);
  double total = 0, sum = 0;
  for (const auto& [value, weight] : values) total += weight;
  const double goal = share * total, rounding = 1e-12 * total;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += values[i].second;
    if (sum < goal - rounding) continue;
    const bool split = std::abs(sum - goal) <= rounding && share == 0.5 && i + 1 < values.size();
    return split ? (values[i].first + values[i + 1].first) / 2 : values[i].first;
  }
  return values.back().first;
}

double median_error(const std::vector<Scored>& rows) {
  std::map<std::string, std::size_t> rows_of;
  for (const Scored& row : rows) ++rows_of[row.table];
  std::vector<std::pair<double, double>> errors;
  for (const Scored& row : rows) errors.emplace_back(std::abs(row.error), 1.0 / static_cast<double>(rows_of[row.table]));
  return weighted_quantile(std::move(errors), 0.5);
}

std::vector<Summary> summarize(const std::vector<Scored>& rows) {
  using Group = std::tuple<bool, Basis, Band>;  // several domains, basis, band: the order in which they are shown
  std::map<Group, std::map<std::string, std::vector<double>>> groups;
  for (const Scored& row : rows) groups[{!row.single_domain, row.basis, row.band}][row.table].push_back(row.error);
  std::vector<Summary> summaries;
  for (const auto& [group, tables] : groups) {
    Summary summary{!std::get<0>(group), std::get<1>(group), std::get<2>(group), tables.size(), 0, 0, 0, 0};
    std::vector<std::pair<double, double>> sizes, errors;
    for (const auto& [table, of_table] : tables) {
      summary.rows += of_table.size();
      for (const double error : of_table) {
        sizes.emplace_back(std::abs(error), 1.0 / static_cast<double>(of_table.size()));
        errors.emplace_back(error, sizes.back().second);
      }
    }
    summary.median = weighted_quantile(sizes, 0.5);
    summary.ninetieth = weighted_quantile(sizes, 0.9);
    summary.bias = weighted_quantile(errors, 0.5);
    summaries.push_back(summary);
  }
  return summaries;
}

}  // namespace gridlock::validate
