#include "sim/bench/concurrent.hpp"

#include <algorithm>
#include <map>

#include "sim/bench/engine_run.hpp"
#include "sim/report/link_kind.hpp"

namespace gridlock::bench {
namespace {

// Wire bytes of a turn over every link.
std::vector<double> loads(const Machine& machine, const CallGraph& calls, const std::vector<parallel::Index>& turn) {
  std::vector<double> load(machine.fabric.link_count(), 0);
  for (std::size_t c = 0; c < calls.graph.communicators.size(); ++c) {
    const parallel::CommunicatorTraffic& traffic = calls.traffic.communicators[c];
    for (const parallel::Index call : turn) {
      const parallel::CallPlan& plan = calls.traffic.plan(traffic.shape, call);
      if (plan.wire_bytes == 0) continue;
      const parallel::EdgeRange& range = calls.traffic.pattern(static_cast<parallel::Index>(c), plan.choice.algorithm);
      for (parallel::Index e = range.first; e < range.first + range.count; ++e) {
        const parallel::Edge& edge = calls.traffic.edges[e];
        for (const collectives::WeightedLink& hop : calls.traffic.links_of(edge))
          load[hop.link] += edge.share * plan.wire_bytes * hop.weight;
      }
    }
  }
  return load;
}

std::vector<SharedLinks> shared_links(const Machine& machine, const CallGraph& calls,
                                      const std::vector<std::vector<parallel::Index>>& turns) {
  std::vector<std::vector<double>> load;
  for (const std::vector<parallel::Index>& turn : turns) load.push_back(loads(machine, calls, turn));
  std::map<std::pair<std::string, std::vector<bool>>, SharedLinks> groups;
  for (topology::LinkId link = 0; link < machine.fabric.link_count(); ++link) {
    std::vector<double> bytes;
    std::vector<bool> crosses;
    double sum = 0;
    for (const std::vector<double>& of_turn : load) {
      bytes.push_back(of_turn[link]);
      crosses.push_back(of_turn[link] > 0);
      sum += of_turn[link];
    }
    if (std::ranges::count(crosses, true) < 2) continue;
    const std::string name = report::link_kind(machine.fabric, link);
    SharedLinks& group = groups[{name, crosses}];
    ++group.count;
    const double capacity = machine.fabric.link(link).bytes_per_s, busy = sum / capacity;
    if (busy <= group.busy_s) continue;
    group = {name, machine.fabric.link_name(link), group.count, capacity, bytes, busy};
  }
  std::vector<SharedLinks> shared;
  for (auto& [key, group] : groups) shared.push_back(std::move(group));
  std::ranges::stable_sort(shared, std::ranges::greater{}, &SharedLinks::busy_s);
  return shared;
}

}  // namespace

Together simulate_together(const scenario::Scenario& scenario, std::vector<Request> requests, bool folded) {
  const Machine machine(scenario);
  Together result;
  std::vector<Job> jobs;
  for (const Request& request : requests) {
    jobs.emplace_back(machine, request);
    result.shapes.push_back(jobs.back().shape());
  }
  for (const std::uint64_t size : requests.front().sizes) {
    Fight& fight = result.fights.emplace_back();
    for (std::size_t j = 0; j < jobs.size(); ++j)
      fight.contenders.push_back({jobs[j].plan(j == 0 || requests[j].sizes.empty() ? size : requests[j].sizes.front()), 0});
  }
  // Of every size: each alone, then all.
  std::vector<Round> rounds;
  for (const Fight& fight : result.fights) {
    Round all;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      rounds.push_back({{j, &fight.contenders[j].row}});
      all.push_back({j, &fight.contenders[j].row});
    }
    rounds.push_back(std::move(all));
  }
  const CallGraph calls = make_call_graph(machine, jobs, rounds);
  const std::vector<CallSpan> spans = run_calls(machine, calls, folded, result.engine);
  std::size_t round = 0;
  for (Fight& fight : result.fights) {
    const auto& together = calls.calls[round + jobs.size()];
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      Contender& contender = fight.contenders[j];
      std::vector<Phase> unused;
      contender.row.time_s = jobs[j].measured_s(turn_seconds(spans, calls.calls[round++][0], contender.row.phases));
      contender.together_s = jobs[j].measured_s(turn_seconds(spans, together[j], unused));
    }
    ++round;
    fight.shared = shared_links(machine, calls, together);
  }
  result.requests = std::move(requests);
  return result;
}

}  // namespace gridlock::bench
