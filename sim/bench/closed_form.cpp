// Time of each call on an idle fabric:
//
//   time = latency + end of the last edge;   edge e moves share_e * wire bytes, at most at share_e * cap, max-min fairly
//
// Latency and cap aside, the end is proportional to the bytes wherever the cap is the same; so the edges of an algorithm are
// shared out once for every cap that occurs. Example: all-to-all over 1,024 ranks has a million edges and one cap: one sharing
// for all sizes. A two-level collective is the sum of its calls, those of all groups at once.
#include <algorithm>
#include <map>
#include <tuple>

#include "collectives/fluid.hpp"
#include "sim/bench/job.hpp"

namespace gridlock::bench {
namespace {

using collectives::Algorithm;
using collectives::Kind;

class ClosedForm {
 public:
  ClosedForm(const Machine& machine, const Job& job) : machine_(machine), job_(job) {}

  // Time of one level's call; all its groups run it at once, the way the first of them chose.
  double seconds(const LevelCall& call) {
    const Group& group = job_.groups(call.level).front();
    const collectives::Choice choice = job_.candidates(group, call).front();
    const double wire = job_.wire_bytes(group, call, choice);
    double latency_s = choice.latency_s;
    for (const Group& other : job_.groups(call.level))
      latency_s = std::max(latency_s, job_.candidates(other, call).front().latency_s);
    if (wire == 0) return latency_s;
    return latency_s + wire * pace(call, choice.algorithm, choice.bus_cap_bytes_per_s * choice.wire_inflation);
  }

 private:
  using Key = std::tuple<Level, Kind, Algorithm>;

  // Seconds a wire byte.
  double pace(const LevelCall& call, Algorithm algorithm, double cap) {
    const Key key{call.level, call.kind, algorithm};
    const auto [known, unknown] = paces_.try_emplace({key, cap}, 0);
    if (!unknown) return known->second;
    const auto [edges, fresh] = edges_.try_emplace(key);
    if (fresh) {
      for (const Group& group : job_.groups(call.level))
        job_.for_each_edge(group, call.kind, algorithm, [&](std::span<const collectives::WeightedLink> links, double share) {
          edges->second.push_back({{links.begin(), links.end()}, share});
        });
    }
    constexpr double bytes = 1e9;
    std::vector<collectives::Flow> flows;
    for (const collectives::Bundle& edge : edges->second) flows.push_back({edge.links, edge.share * bytes, edge.share * cap});
    return known->second = std::ranges::max(collectives::finish_times_s(machine_.fabric, flows)) / bytes;
  }

  const Machine& machine_;
  const Job& job_;
  std::map<Key, std::vector<collectives::Bundle>> edges_;
  std::map<std::pair<Key, double>, double> paces_;
};

}  // namespace

Outcome closed_form(const scenario::Scenario& scenario, const Request& request) {
  const Machine machine(scenario);
  const Job job(machine, request);
  Outcome outcome{job.shape(), job.plan(), {}};
  ClosedForm form(machine, job);
  for (Row& row : outcome.rows) {
    const std::vector<LevelCall> calls = job.calls(row);
    double call_s = 0;
    for (std::size_t p = 0; p < calls.size(); ++p) {
      const double seconds = form.seconds(calls[p]);
      if (!row.phases.empty()) row.phases[p].time_s = seconds;
      call_s += seconds;
    }
    row.time_s = job.measured_s(call_s);
  }
  return outcome;
}

}  // namespace gridlock::bench
