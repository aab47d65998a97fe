#include "collectives/fluid.hpp"

#include <algorithm>
#include <stdexcept>

namespace gridlock::collectives {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Bottlenecks and ends this close together, relatively, are one: they differ by rounding only.
constexpr double tolerance = 1e-12;

struct Crossing {
  std::size_t link;  // index into Fluid::capacity
  double weight;
};

// The flows with their links numbered from 0, so that the state of a link is an array element.
struct Fluid {
  std::vector<double> capacity;
  std::vector<std::vector<Crossing>> crossings;  // by flow
};

Fluid compact(const topology::Fabric& fabric, std::span<const Flow> flows) {
  std::vector<topology::LinkId> used;
  for (const Flow& flow : flows) {
    for (const WeightedLink& crossing : flow.links) used.push_back(crossing.link);
  }
  std::ranges::sort(used);
  used.erase(std::ranges::unique(used).begin(), used.end());

  Fluid fluid;
  for (const topology::LinkId link : used) fluid.capacity.push_back(fabric.link(link).bytes_per_s);
  for (const Flow& flow : flows) {
    auto& crossings = fluid.crossings.emplace_back();
    for (const auto& [link, weight] : flow.links) {
      crossings.push_back({static_cast<std::size_t>(std::ranges::lower_bound(used, link) - used.begin()), weight});
    }
  }
  return fluid;
}

// Progressive filling: all rates grow together; a flow stops at its cap or when one of its links is full.
void share_links(const Fluid& fluid, std::span<const Flow> flows, std::vector<std::size_t> growing, std::vector<double>& rates) {
  std::vector<double> left = fluid.capacity, weight(fluid.capacity.size());
  for (const std::size_t f : growing) {
    for (const Crossing& crossing : fluid.crossings[f]) weight[crossing.link] += crossing.weight;
  }
  while (!growing.empty()) {
    double level = infinity;
    for (const std::size_t f : growing) {
      level = std::min(level, flows[f].cap_bytes_per_s);
      for (const Crossing& crossing : fluid.crossings[f]) level = std::min(level, left[crossing.link] / weight[crossing.link]);
    }
    const double full = level * (1 + tolerance);
    const auto stops = [&](std::size_t f) {
      return flows[f].cap_bytes_per_s <= full || std::ranges::any_of(fluid.crossings[f], [&](const Crossing& crossing) {
               return left[crossing.link] / weight[crossing.link] <= full;
             });
    };
    const auto stopped = std::ranges::stable_partition(growing, [&](std::size_t f) { return !stops(f); });
    for (const std::size_t f : stopped) rates[f] = level;
    for (const std::size_t f : stopped) {
      for (const Crossing& crossing : fluid.crossings[f]) {
        left[crossing.link] -= crossing.weight * level;
        weight[crossing.link] -= crossing.weight;
      }
    }
    growing.erase(stopped.begin(), stopped.end());
  }
}

}  // namespace

std::vector<double> finish_times_s(const topology::Fabric& fabric, std::span<const Flow> flows) {
  const Fluid fluid = compact(fabric, flows);
  std::vector<double> finish(flows.size()), rates(flows.size()), left(flows.size());
  std::vector<std::size_t> active;
  for (std::size_t f = 0; f < flows.size(); ++f) {
    if (flows[f].links.empty() && flows[f].cap_bytes_per_s == infinity) throw std::logic_error("a flow needs a link or a cap");
    left[f] = flows[f].bytes;
    if (left[f] > 0) active.push_back(f);
  }
  double now = 0;
  while (!active.empty()) {
    share_links(fluid, flows, active, rates);
    double step = infinity;
    for (const std::size_t f : active) step = std::min(step, left[f] / rates[f]);
    now += step;
    std::erase_if(active, [&](std::size_t f) {
      left[f] -= rates[f] * step;
      const bool ended = left[f] <= flows[f].bytes * tolerance;
      if (ended) finish[f] = now;
      return ended;
    });
  }
  return finish;
}

}  // namespace gridlock::collectives
