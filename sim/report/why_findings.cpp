#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "sim/report/why.hpp"

namespace gridlock::report {
namespace {

using analysis::BoundKind;
using analysis::State;

constexpr double least_share = 1e-3;

// What waits are gathered by. Links: the kinds of device they join, and their speed.
using Key = std::tuple<State, std::string, BoundKind, std::string, double>;

struct Gathered {
  std::set<std::string> labels;
  std::map<Index, double> by_rank;  // GPU-seconds
  std::map<Index, double> by_peer;
  std::set<Index> links;
};

// Waits inside a tensor group look alike to the user, and so do all waits for a message that is not sent yet.
std::string operation_of(const std::set<std::string>& tensor_labels, const analysis::Wait& wait) {
  if (wait.state == State::bubble && wait.for_what != analysis::end_of_step) return "messages between stages";
  return tensor_labels.count(wait.for_what) > 0 ? "tensor-parallel collectives" : wait.for_what;
}

// Of the calls inside blocks.
std::set<std::string> tensor_labels_of(const parallel::StepGraph& graph) {
  std::set<std::string> labels;
  for (const std::vector<Index>& calls : graph.block_calls)
    for (Index call : calls)
      if (call != none) labels.insert(graph.calls[call].label);
  return labels;
}

Key key_of(const RunReport& r, const std::set<std::string>& tensor_labels, const analysis::Wait& wait) {
  std::string device;
  double speed = 0;
  if (wait.bound.kind == BoundKind::link && wait.bound.subject != none) {
    device = cable_base(r.names.link_base(wait.bound.subject));
    speed = r.simulation.problem.links[wait.bound.subject].bytes_per_s;
  }
  return {wait.state, operation_of(tensor_labels, wait), wait.bound.kind, device, speed};
}

std::vector<Index> longest_first(const std::map<Index, double>& seconds) {
  std::vector<Index> order;
  for (const auto& [k, s] : seconds) order.push_back(k);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return seconds.at(a) > seconds.at(b); });
  return order;
}

// One class by its name; several by what they have in common, unless they are all of it anyway.
std::string links_name(const RunReport& r, const std::set<Index>& classes, const std::string& cable) {
  if (classes.size() == 1) return r.names.link(*classes.begin());
  std::set<std::string> bases;
  for (Index k : classes) bases.insert(r.names.link_base(k));
  std::size_t alike = 0;
  for (Index k = 0; k < r.simulation.problem.links.size(); ++k) alike += bases.count(r.names.link_base(k));
  const std::string base = bases.size() == 1 ? *bases.begin() : cable + " and back";
  return classes.size() == alike ? base : fmt::format("{} ({} of {} classes)", base, classes.size(), alike);
}

}  // namespace

std::string cable_base(const std::string& base) {
  const std::size_t to = base.find(" to ");
  return to == std::string::npos ? base : std::min(base, base.substr(to + 4) + " to " + base.substr(0, to));
}

Why find_reasons(const RunReport& r) {
  Why why;
  why.step_s = r.step.time_s;
  why.gpus = static_cast<double>(r.simulation.graph.rank_program.size());
  const std::set<std::string> tensor_labels = tensor_labels_of(r.simulation.graph);
  std::map<Key, Gathered> gathered;
  for (Index k = 0; k < r.breakdown.ranks.size(); ++k)
    for (const analysis::Wait& wait : r.breakdown.ranks[k].waits) {
      Gathered& one = gathered[key_of(r, tensor_labels, wait)];
      const double seconds = wait.seconds * r.simulation.problem.ranks[k].members;
      one.labels.insert(wait.for_what);
      one.by_rank[k] += seconds;
      if (wait.bound.subject == none) continue;
      if (wait.bound.kind == BoundKind::peer) one.by_peer[wait.bound.subject] += seconds;
      if (wait.bound.kind == BoundKind::link) one.links.insert(wait.bound.subject);
    }
  for (const auto& [key, one] : gathered) {
    Finding f;
    f.state = std::get<0>(key);
    f.operation = std::get<1>(key);
    f.bound = std::get<2>(key);
    f.labels.assign(one.labels.begin(), one.labels.end());
    f.links.assign(one.links.begin(), one.links.end());
    f.ranks = longest_first(one.by_rank);
    for (const auto& [rank, seconds] : one.by_rank) {
      f.gpu_seconds += seconds;
      f.gpus += r.simulation.problem.ranks[rank].members;
    }
    if (!one.by_peer.empty()) f.peer = longest_first(one.by_peer).front();
    if (f.bound == BoundKind::link && !f.links.empty())
      f.bound_name = links_name(r, one.links, std::get<3>(key));
    else
      f.bound_name = r.names.bound({f.bound, f.peer});
    if (why.share(f) >= least_share) why.findings.push_back(std::move(f));
  }
  std::stable_sort(why.findings.begin(), why.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.gpu_seconds > b.gpu_seconds; });
  return why;
}

}  // namespace gridlock::report
