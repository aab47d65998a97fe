#include "collectives/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace gridlock::collectives {

Exchange Exchange::even(Kind kind, std::size_t ranks) {
  if (!is_point_to_point(kind) || ranks < 2) throw std::logic_error("no exchange between pairs");
  return {kind, ranks};
}

Exchange Exchange::weighted(const std::vector<std::vector<double>>& weights) {
  const std::size_t n = weights.size();
  if (n < 2) throw std::invalid_argument(fmt::format("a matrix of {} rows: an all-to-all has at least two ranks", n));
  Exchange exchange(Kind::all_to_all, n);
  double sum = 0, away = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (weights[i].size() != n)
      throw std::invalid_argument(fmt::format("row {} of the matrix has {} numbers, it has {} rows", i, weights[i].size(), n));
    for (std::size_t j = 0; j < n; ++j) {
      const double weight = weights[i][j];
      if (!(std::isfinite(weight) && weight >= 0))
        throw std::invalid_argument(fmt::format("row {} of the matrix holds {}: weights are finite and at least 0", i, weight));
      sum += weight;
      if (i != j) away += weight;
      exchange.shares_.push_back(weight);
    }
  }
  if (!(away > 0 && std::isfinite(sum))) throw std::invalid_argument("nothing in the matrix leaves its rank");
  for (double& share : exchange.shares_) share *= static_cast<double>(n) / sum;
  return exchange;
}

Exchange Exchange::imbalanced(std::size_t ranks, double factor) {
  const auto n = static_cast<double>(ranks);
  if (!(factor >= 1 && factor <= n))
    throw std::invalid_argument(
        fmt::format("imbalance {}: the busiest of {} ranks receives 1 to {} times the mean", factor, ranks, ranks));
  std::vector<double> row(ranks, (n - factor) / (n - 1));
  row.front() = factor;
  return weighted(std::vector(ranks, row));
}

double Exchange::share(std::size_t from, std::size_t to) const {
  if (!shares_.empty()) return shares_[from * ranks_ + to];
  const double part = 1 / static_cast<double>(ranks_);
  switch (kind_) {
    case Kind::all_to_all:
      return part;
    case Kind::gather:
      return to == 0 ? part : 0;
    case Kind::scatter:
      return from == 0 ? part : 0;
    default:
      return to == (from + 1) % ranks_ ? 1 : 0;
  }
}

double Exchange::largest_share() const {
  if (shares_.empty()) return share(0, kind_ == Kind::gather ? 0 : 1);
  double largest = 0;
  for_each_pair([&](std::size_t, std::size_t, double part) { largest = std::max(largest, part); });
  return largest;
}

double Exchange::largest_row() const {
  std::vector<double> rows(ranks_, 0);
  for_each_pair([&](std::size_t from, std::size_t, double part) { rows[from] += part; });
  return *std::ranges::max_element(rows);
}

std::vector<std::vector<double>> parse_weights(const std::string& text) {
  std::vector<std::vector<double>> rows;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    line.erase(std::min(line.find('#'), line.size()));
    std::ranges::replace(line, ',', ' ');
    std::istringstream words(line);
    std::vector<double> row;
    for (std::string word; words >> word;) {
      double value = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (error != std::errc{} || end != word.data() + word.size())
        throw std::invalid_argument(fmt::format("line {}: '{}' is not a number", number, word));
      row.push_back(value);
    }
    if (!row.empty()) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace gridlock::collectives
