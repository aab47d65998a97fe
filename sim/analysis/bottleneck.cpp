#include "sim/analysis/bottleneck.hpp"

#include <limits>

namespace gridlock::analysis {

Bound Bottlenecks::flows(const std::vector<Index>& flows, double latency_s, const parallel::CallPlan* plan, double start,
                         double finish) const {
  if (latency_s > 0.5 * (finish - start)) return {BoundKind::latency, none};
  Index fullest = none;
  double highest = -1, least_share = std::numeric_limits<double>::infinity();
  bool capped = false;
  for (Index f : flows) {
    const engine::FlowClass& flow = h_.problem.flows[f];
    const double cap = plan ? engine::flow_rate_cap(*plan, flow) : std::numeric_limits<double>::infinity();
    double share = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = flow.first_link; i < flow.first_link + flow.link_count; ++i) {
      const engine::FlowLink& hop = h_.problem.flow_links[i];
      const double here = h_.problem.links[hop.link].bytes_per_s / hop.weight;
      const double utilization = loads_.utilization(hop.link, start, finish);
      share = std::min(share, here);
      // Slices are coarse: among links that look equally full, the one that gives this flow the least counts.
      if (utilization > highest * 1.02 || (utilization >= highest * 0.98 && here < least_share)) {
        highest = std::max(highest, utilization);
        fullest = hop.link;
        least_share = here;
      }
    }
    capped = capped || cap < 0.95 * share;  // a cap just under the link's rate is the link's
  }
  const bool below_cap = fullest != none && highest < 0.98 && capped;
  if (below_cap || (capped && fullest == none)) return {BoundKind::compute, none};
  if (capped && plan) {
    // The cap binds when the call took no longer than the cap explains.
    double at_cap = latency_s;
    for (Index f : flows)
      at_cap = std::max(
          at_cap, latency_s + plan->wire_bytes * h_.problem.flows[f].share / engine::flow_rate_cap(*plan, h_.problem.flows[f]));
    if (finish - start <= at_cap * (1 + 1e-6)) return {BoundKind::compute, none};
  }
  return {BoundKind::link, fullest};
}

Bound Bottlenecks::call(Index communicator, Index call, double joined, double finish) const {
  const engine::CommunicatorClass& one = h_.problem.communicators[communicator];
  const parallel::CallPlan& plan = h_.problem.traffic->plan(one.shape, call);
  return flows(engine::flows_of_call(h_.problem, one, call).flows, plan.choice.latency_s, &plan, joined, finish);
}

Bound Bottlenecks::message(Index message, double start, double finish) const {
  const Index flow = h_.problem.messages[message].flow;
  return flows({flow}, h_.problem.flows[flow].latency_s, nullptr, start, finish);
}

}  // namespace gridlock::analysis
