// Time of each call on an idle fabric:
//
//   time = latency + end of the last edge;   edge e moves share_e * wire bytes, at most at share_e * cap, max-min fairly
//
// Latency and cap aside, the end is proportional to the bytes wherever the cap is the same; so a pattern is shared out once for
// every cap that occurs. Example: all-to-all over 1,024 ranks has a million edges and one cap: one sharing for all sizes.
#include <algorithm>
#include <map>

#include "collectives/fluid.hpp"
#include "sim/bench/setup.hpp"

namespace gridlock::bench {
namespace {

using collectives::Algorithm;
using collectives::Pattern;

// Seconds a wire byte.
double pace(const topology::Fabric& fabric, const Pattern& pattern, double cap) {
  constexpr double bytes = 1e9;
  std::vector<collectives::Flow> flows;
  flows.reserve(pattern.bundles.size());
  for (const collectives::Bundle& bundle : pattern.bundles)
    flows.push_back({bundle.links, bundle.share * bytes, bundle.share * cap});
  return std::ranges::max(collectives::finish_times_s(fabric, flows)) / bytes;
}

}  // namespace

Outcome closed_form(const scenario::Scenario& machine, const Request& request) {
  const Setup setup(machine, request);
  Outcome outcome{setup.shape, setup.plan(request), {}};
  std::map<Algorithm, Pattern> patterns;
  std::map<std::pair<Algorithm, double>, double> paces;
  for (Row& row : outcome.rows) {
    const collectives::Choice& choice = row.candidates.front();
    const double wire = setup.wire_bytes(request.kind, choice, static_cast<double>(row.size.bytes));
    double call_s = choice.latency_s;
    if (wire > 0) {
      const double cap = setup.rate_cap(request.kind, choice);
      if (!patterns.contains(choice.algorithm)) patterns[choice.algorithm] = setup.pattern(request, choice.algorithm);
      const auto [found, fresh] = paces.try_emplace({choice.algorithm, cap}, 0);
      if (fresh) found->second = pace(setup.fabric, patterns[choice.algorithm], cap);
      call_s += wire * found->second;
    }
    row.time_s = setup.measured_s(request, call_s);
  }
  return outcome;
}

}  // namespace gridlock::bench
