#include "collectives/time.hpp"

#include <algorithm>
#include <stdexcept>

#include "collectives/fluid.hpp"

namespace gridlock::collectives {
namespace {

double last_finish_s(const topology::Fabric& fabric, std::span<const Flow> flows) {
  const std::vector<double> finish = finish_times_s(fabric, flows);
  return finish.empty() ? 0 : *std::ranges::max_element(finish);
}

}  // namespace

double idle_time_s(const topology::Fabric& fabric, const Pattern& pattern, const Choice& choice, Kind kind, int ranks,
                   double bytes) {
  if (pattern.algorithm != choice.algorithm) throw std::logic_error("pattern and choice are of different algorithms");
  const double wire = wire_bytes(pattern.algorithm, kind, ranks, bytes) * choice.wire_inflation;
  const double cap = choice.bus_cap_bytes_per_s * choice.wire_inflation;
  std::vector<Flow> flows;
  for (const Bundle& bundle : pattern.bundles) flows.push_back({bundle.links, bundle.share * wire, bundle.share * cap});
  return choice.latency_s + last_finish_s(fabric, flows);
}

}  // namespace gridlock::collectives
