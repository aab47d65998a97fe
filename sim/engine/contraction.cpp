#include "sim/engine/contraction.hpp"

#include <algorithm>
#include <stdexcept>

namespace gridlock::engine {

void mark_exclusive(Problem& problem) {
  std::vector<std::uint32_t> crossings(problem.links.size(), 0);
  for (const FlowLink& hop : problem.flow_links) ++crossings[hop.link];
  const auto alone = [&](Index flow_index) {
    const FlowClass& flow = problem.flows[flow_index];
    for (std::uint32_t i = flow.first_link; i < flow.first_link + flow.link_count; ++i)
      if (crossings[problem.flow_links[i].link] != 1) return false;
    return true;
  };
  for (CommunicatorClass& communicator : problem.communicators) {
    communicator.exclusive = true;
    for (const FlowRange& range : communicator.patterns)
      communicator.exclusive = communicator.exclusive && std::all_of(range.flows.begin(), range.flows.end(), alone);
  }
}

double flow_rate_cap(const parallel::CallPlan& plan, const FlowClass& flow) {
  return plan.choice.bus_cap_bytes_per_s * plan.choice.wire_inflation * flow.share;
}

const FlowRange& flows_of_call(const Problem& problem, const CommunicatorClass& communicator, Index call) {
  static const FlowRange no_flows;
  const parallel::CallPlan& plan = problem.traffic->plan(communicator.shape, call);
  if (plan.wire_bytes == 0) return no_flows;
  for (const FlowRange& range : communicator.patterns)
    if (range.algorithm == plan.choice.algorithm) return range;
  throw std::logic_error("no flows for the algorithm of this call");
}

double exclusive_call_seconds(const Problem& problem, const CommunicatorClass& communicator, Index call) {
  const parallel::CallPlan& plan = problem.traffic->plan(communicator.shape, call);
  double slowest = 0;
  for (Index flow_index : flows_of_call(problem, communicator, call).flows) {
    const FlowClass& flow = problem.flows[flow_index];
    double rate = flow_rate_cap(plan, flow);
    for (std::uint32_t i = flow.first_link; i < flow.first_link + flow.link_count; ++i)
      rate = std::min(rate, problem.links[problem.flow_links[i].link].bytes_per_s / problem.flow_links[i].weight);
    slowest = std::max(slowest, flow.share * plan.wire_bytes / rate);
  }
  return plan.choice.latency_s + slowest;
}

bool runs_in_lockstep(const Problem& problem, const CommunicatorClass& communicator) {
  const Index program = problem.ranks[communicator.rank_classes.front()].program;
  return communicator.exclusive && std::all_of(communicator.rank_classes.begin(), communicator.rank_classes.end(),
                                               [&](Index r) { return problem.ranks[r].program == program; });
}

std::vector<BlockTiming> time_blocks(const Problem& problem, Index communicator, double speed) {
  const parallel::StepGraph& graph = *problem.graph;
  std::vector<BlockTiming> timings(graph.blocks.size());
  for (std::size_t b = 0; b < graph.blocks.size(); ++b) {
    const std::vector<Index>& calls = graph.block_calls[b];
    const bool has_calls = std::any_of(calls.begin(), calls.end(), [](Index call) { return call != none; });
    if (has_calls && (communicator == none || !problem.communicators[communicator].exclusive)) continue;
    std::vector<double> call_seconds(calls.size(), 0);
    for (std::size_t op = 0; op < calls.size(); ++op)
      if (calls[op] != none) call_seconds[op] = exclusive_call_seconds(problem, problem.communicators[communicator], calls[op]);
    timings[b] = time_block(graph.blocks[b], speed, call_seconds);
  }
  return timings;
}

}  // namespace gridlock::engine
