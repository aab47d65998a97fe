#include "sim/sweep/causes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "collectives/collective.hpp"
#include "sim/report/format.hpp"
#include "sim/report/summary.hpp"

namespace gridlock::sweep {
namespace {

using analysis::BoundKind;
using analysis::State;

std::string kind_of(BoundKind kind) { return kind == BoundKind::compute ? "copy" : std::string(report::Names::kind(kind)); }

bool is_kernel(std::size_t state) { return state <= static_cast<std::size_t>(State::host); }

// The same thing waited for by two rank classes is one cause.
using Key = std::tuple<std::string, std::string, std::string>;  // state, kind, name
using Sums = std::map<Key, double>;

void add_waits(const report::RunReport& r, engine::Index rank, double weight, Sums& sums) {
  for (const analysis::Wait& wait : r.breakdown.ranks[rank].waits) {
    const bool link = wait.bound.kind == BoundKind::link && wait.bound.subject != engine::none;
    sums[{std::string(analysis::state_names[static_cast<std::size_t>(wait.state)]), kind_of(wait.bound.kind),
          link ? r.names.link_base(wait.bound.subject) : ""}] += weight * wait.seconds;
  }
}

std::string title(const std::string& state) {
  for (std::size_t s = 0; s < analysis::state_count; ++s)
    if (analysis::state_names[s] == state) return std::string(report::state_title(static_cast<analysis::State>(s)));
  return state;
}

}  // namespace

std::vector<Cause> causes_of(const report::RunReport& r) {
  double ranks = 0;
  for (const engine::RankClass& rank : r.simulation.problem.ranks) ranks += rank.members;
  Sums sums;
  for (engine::Index k = 0; k < r.simulation.problem.ranks.size(); ++k)
    add_waits(r, k, r.simulation.problem.ranks[k].members / ranks, sums);
  for (std::size_t s = 0; s < analysis::state_count; ++s)
    if (is_kernel(s) && r.breakdown.mean[s] > 0)
      sums[{std::string(analysis::state_names[s]), "kernel", ""}] = r.breakdown.mean[s];
  std::vector<Cause> causes;
  for (const auto& [key, seconds] : sums) causes.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), seconds});
  std::ranges::stable_sort(causes, std::greater{}, &Cause::seconds);
  return causes;
}

std::vector<LinkUse> link_use(const report::RunReport& r) {
  std::map<std::string, LinkUse> by_kind;
  for (engine::Index k = 0; k < r.simulation.problem.links.size(); ++k) {
    LinkUse& use = by_kind[r.names.link_base(k)];
    const double peak = r.loads.peak_utilization(k), mean = r.loads.mean_utilization(k);
    const bool fuller =
        use.name.empty() || peak > use.peak_utilization || (peak == use.peak_utilization && mean > use.mean_utilization);
    if (fuller) use = {r.names.link_base(k), r.names.link(k), mean, peak};
  }
  std::vector<LinkUse> links;
  for (auto& [name, use] : by_kind) links.push_back(std::move(use));
  std::ranges::stable_sort(links, [](const LinkUse& a, const LinkUse& b) {
    return std::pair(a.peak_utilization, a.mean_utilization) > std::pair(b.peak_utilization, b.mean_utilization);
  });
  return links;
}

std::vector<AlgorithmUse> algorithms_of(const report::RunReport& r) {
  std::map<std::string, std::string> by_label;
  for (const analysis::CallStatistics& call : r.calls) {
    if (call.is_message) continue;
    const engine::CommunicatorClass& communicator = r.simulation.problem.communicators[call.subject];
    const collectives::Choice& choice = r.simulation.traffic.plan(communicator.shape, call.call).choice;
    by_label.try_emplace(r.call_label(call),
                         fmt::format("{} {}", collectives::name(choice.algorithm), collectives::name(choice.protocol)));
  }
  std::vector<AlgorithmUse> algorithms;
  for (auto& [label, algorithm] : by_label) algorithms.push_back({label, algorithm});
  return algorithms;
}

void name_bottleneck(Point& p) {
  std::map<std::string, double> waits;  // by link
  for (const Cause& c : p.causes) {
    if (c.kind == "link") p.waits_link_s += c.seconds, waits[c.name] += c.seconds;
    if (c.kind == "latency") p.waits_latency_s += c.seconds;
    if (c.kind == "copy") p.waits_copy_s += c.seconds;
    if (c.kind == "peer") p.waits_peer_s += c.seconds;
  }
  if (p.links.empty()) return;
  const auto longest = std::ranges::max_element(waits, {}, &std::pair<const std::string, double>::second);
  p.bottleneck = longest == waits.end() ? p.links.front().name : longest->first;
  const auto use = std::ranges::find(p.links, p.bottleneck, &LinkUse::name);
  if (use != p.links.end()) p.bottleneck_utilization = use->peak_utilization;
}

std::string describe(const Cause& cause) {
  const std::string what = title(cause.state);
  if (cause.kind == "link") return fmt::format("{}, bound by {}", what, cause.name);
  if (cause.kind == "latency") return fmt::format("{}, bound by latency", what);
  if (cause.kind == "copy") return fmt::format("{}, bound by the GPUs' copy rate", what);
  return what;
}

std::string regime(const Point& p) {
  if (p.causes.empty()) return "";
  return fmt::format("{}, {}", describe(p.causes.front()), report::percent(p.causes.front().seconds / p.step_s));
}

Growth largest_growth(const Point& from, const Point& to) {
  Growth most;
  for (const Cause& c : to.causes) {
    double before = 0;
    for (const Cause& old : from.causes)
      if (old.state == c.state && old.kind == c.kind && old.name == c.name) before = old.seconds;
    if (c.seconds - before > most.seconds) most = {c, c.seconds - before};
  }
  return most;
}

}  // namespace gridlock::sweep
