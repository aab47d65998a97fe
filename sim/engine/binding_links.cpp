#include "sim/engine/binding_links.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace gridlock::engine {
namespace {

constexpr double slack = 1 + 1e-12;  // capacities of equal links differ in the last bits

struct Crossing {
  Index flow;
  double weight;
  auto operator<=>(const Crossing&) const = default;
};

// Crossings by link, each link's sorted by flow.
struct ByLink {
  std::vector<std::uint32_t> first;
  std::vector<Crossing> crossings;

  explicit ByLink(const Problem& problem) : first(problem.links.size() + 1, 0), crossings(problem.flow_links.size()) {
    for (const FlowLink& hop : problem.flow_links) ++first[hop.link + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::uint32_t> fill(first.begin(), first.end() - 1);
    for (Index f = 0; f < problem.flows.size(); ++f)
      for (std::uint32_t i = problem.flows[f].first_link; i < problem.flows[f].first_link + problem.flows[f].link_count; ++i)
        crossings[fill[problem.flow_links[i].link]++] = {f, problem.flow_links[i].weight};
  }
  std::vector<Crossing> of(Index link) const { return {crossings.begin() + first[link], crossings.begin() + first[link + 1]}; }
};

}  // namespace

std::vector<char> binding_links(const Problem& problem) {
  const ByLink by_link(problem);
  std::vector<char> keep(problem.links.size(), 1);

  // Of links crossed alike, the tightest stays.
  std::map<std::vector<Crossing>, Index> tightest;
  for (Index l = 0; l < problem.links.size(); ++l) {
    const auto [found, fresh] = tightest.try_emplace(by_link.of(l), l);
    if (fresh) continue;
    const bool tighter = problem.links[l].bytes_per_s < problem.links[found->second].bytes_per_s;
    keep[tighter ? found->second : l] = 0;
    if (tighter) found->second = l;
  }

  // The most each flow can get, and how many kept links hold it to that.
  std::vector<double> most(problem.flows.size(), std::numeric_limits<double>::infinity());
  std::vector<std::uint32_t> holders(problem.flows.size(), 0);
  const auto for_each_crossing = [&](auto visit) {
    for (Index l = 0; l < problem.links.size(); ++l)
      if (keep[l])
        for (std::uint32_t i = by_link.first[l]; i < by_link.first[l + 1]; ++i)
          visit(by_link.crossings[i].flow, problem.links[l].bytes_per_s / by_link.crossings[i].weight);
  };
  for_each_crossing([&](Index flow, double share) { most[flow] = std::min(most[flow], share); });
  for_each_crossing([&](Index flow, double share) { holders[flow] += share <= most[flow] * slack; });

  for (Index l = 0; l < problem.links.size(); ++l) {
    if (!keep[l]) continue;
    const double capacity = problem.links[l].bytes_per_s;
    double demand = 0;
    bool needed = false;
    for (std::uint32_t i = by_link.first[l]; i < by_link.first[l + 1]; ++i) {
      const Crossing& c = by_link.crossings[i];
      demand += c.weight * most[c.flow];
      needed = needed || (capacity / c.weight <= most[c.flow] * slack && holders[c.flow] == 1);
    }
    if (needed || demand > capacity * slack) continue;
    keep[l] = 0;
    for (std::uint32_t i = by_link.first[l]; i < by_link.first[l + 1]; ++i) {
      const Crossing& c = by_link.crossings[i];
      holders[c.flow] -= capacity / c.weight <= most[c.flow] * slack;
    }
  }
  return keep;
}

}  // namespace gridlock::engine
