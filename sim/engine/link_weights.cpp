#include "sim/engine/link_weights.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace gridlock::engine {
namespace {

constexpr int largest_denominator = 5040;

bool integral(double value) { return std::abs(value - std::round(value)) <= 1e-9 * std::max(1.0, std::abs(value)); }

// Smallest d with d * weight integral for all weights; 0 if there is none.
int common_denominator(const std::vector<double>& weights) {
  for (int d = 1; d <= largest_denominator; ++d)
    if (std::all_of(weights.begin(), weights.end(), [d](double w) { return integral(w * d) && w * d > 0.5; })) return d;
  return 0;
}

}  // namespace

IntegerWeights integer_weights(const Problem& problem, std::uint32_t most) {
  IntegerWeights result;
  result.multiplicity.resize(problem.flow_links.size());
  result.bytes_per_s.resize(problem.links.size());

  // Entries by link, link by link.
  std::vector<std::uint32_t> first(problem.links.size() + 1, 0);
  for (const FlowLink& hop : problem.flow_links) ++first[hop.link + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::uint32_t> entries(problem.flow_links.size()), fill(first.begin(), first.end() - 1);
  for (std::uint32_t i = 0; i < problem.flow_links.size(); ++i) entries[fill[problem.flow_links[i].link]++] = i;

  std::vector<double> weights, distinct;
  for (std::size_t l = 0; l < problem.links.size(); ++l) {
    weights.clear();
    for (std::uint32_t e = first[l]; e < first[l + 1]; ++e) weights.push_back(problem.flow_links[entries[e]].weight);
    if (weights.empty()) {
      result.bytes_per_s[l] = problem.links[l].bytes_per_s;
      continue;
    }
    distinct = weights;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    if (distinct.front() <= 0) throw std::logic_error("a flow crosses a link with weight 0");
    double scale = 1;
    if (distinct.size() == 1) {
      scale = 1 / distinct.front();
    } else if (const int d = common_denominator(distinct); d > 0) {
      std::int64_t divisor = 0;
      for (double w : distinct) divisor = std::gcd(divisor, std::llround(w * d));
      scale = d / static_cast<double>(divisor);
    } else {
      scale = 1 / distinct.front();
    }
    if (distinct.back() * scale > most) scale = most / distinct.back();
    for (std::uint32_t e = first[l]; e < first[l + 1]; ++e) {
      const double exact = weights[e - first[l]] * scale;
      const double rounded = std::max(1.0, std::round(exact));
      if (std::abs(rounded - exact) > 1e-9 * exact)
        result.worst_rounding = std::max(result.worst_rounding, std::abs(rounded - exact) / exact);
      result.multiplicity[entries[e]] = static_cast<std::uint32_t>(rounded);
    }
    result.bytes_per_s[l] = problem.links[l].bytes_per_s * scale;
  }
  return result;
}

}  // namespace gridlock::engine
