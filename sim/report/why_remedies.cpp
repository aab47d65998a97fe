// Remedies of a finding, each simulated.
//
//   exposed(f) = GPU-seconds for which GPUs wait for the finding's operations when its links are f times as fast
//   target     = exposed(1) - 0.95 x the finding's own GPU-seconds
//
// Links that are full come in chains: an uplink hides behind a NIC that is just as full. So the links are first made unlimited;
// what then bounds the same operations is added, until no link does or the wait is gone. With the links known, the least factor
// on a grid of two digits up to 16 with exposed(f) <= target is found by bisection; the value reported is one that was simulated.
// (More bandwidth can lengthen a wait, max-min sharing allows that: then the factor hides the wait, but may not be the least.)
//
// Worked example: a reduce-scatter takes 3 ms over NICs and runs beside 2 ms of kernels: 1 ms is exposed. Twice the bandwidth
// makes it 1.5 ms and hides it; so does 1.5 times (2 ms). exposed(1.4) = 0.143 ms is 14 % of 1 ms, exposed(1.5) = 0: the grid
// gives 1.5.
#include <algorithm>
#include <map>
#include <tuple>

#include "sim/report/why.hpp"

namespace gridlock::report {
namespace {

using analysis::BoundKind;
using analysis::State;
using topology::LinkId;

constexpr double part_left = 0.05;              // a wait counts as hidden when at most this is left of it
constexpr double part_that_counts = 0.9;        // what links alone must bring a wait below to be worth trying
constexpr int grid_first = 1, grid_last = 150;  // factors 1.1 to 16
constexpr int longest_chain = 8;                // kinds of link added, one after the other

double grid(int i) { return (10 + i) / 10.0; }

class Search {
 public:
  Search(const RunReport& report, const TryOut& try_out, Finding& finding) : r_(report), try_(try_out), f_(finding) {
    all_ = exposed_now();
  }

  void run() {
    switch (f_.bound) {
      case BoundKind::link:
        return faster_links();
      case BoundKind::latency:
        return without_latency();
      case BoundKind::compute:
        return faster({std::vector<bool>(r_.simulation.problem.links.size()), true});
      case BoundKind::peer:
        return peers();
    }
  }

 private:
  // The same as `exposed` below, of the step as it is.
  double exposed_now() const {
    double sum = 0;
    for (std::size_t k = 0; k < r_.breakdown.ranks.size(); ++k)
      for (const analysis::Wait& wait : r_.breakdown.ranks[k].waits)
        if (analysis::is_exposed(wait.state) && ours(wait.for_what)) sum += wait.seconds * r_.simulation.problem.ranks[k].members;
    return sum;
  }

  bool ours(const std::string& label) const { return std::find(f_.labels.begin(), f_.labels.end(), label) != f_.labels.end(); }

  double exposed(const whatif::Outcome& outcome) const {
    double sum = 0;
    for (const auto& [label, exposure] : outcome.exposures)
      if (ours(label)) sum += exposure.gpu_seconds;
    return sum;
  }

  double left(const whatif::Outcome& outcome) const { return std::max(0.0, exposed(outcome) - (all_ - f_.gpu_seconds)); }
  bool hidden(const whatif::Outcome& outcome) const { return left(outcome) <= part_left * f_.gpu_seconds; }

  // ---- links --------------------------------------------------------------------------------------------------------------

  // What is made faster: classes of links, and the channels too.
  struct Set {
    std::vector<bool> classes;
    bool channels = false;
  };

  void faster_links() {
    if (f_.links.empty()) return;
    Set set{std::vector<bool>(r_.simulation.problem.links.size()), false};
    for (Index k : f_.links) set.classes[k] = true;
    faster(std::move(set));
  }

  void faster(Set set) {
    whatif::Outcome without_limit;
    for (int wider = 0;; ++wider) {
      without_limit = simulate(set, whatif::unlimited);
      if (hidden(without_limit) || wider == longest_chain || !add_next(without_limit, set.classes)) break;
    }
    if (hidden(without_limit)) return least_factor(set);
    if (set.channels || left(without_limit) < part_that_counts * f_.gpu_seconds) keep(set, 2, simulate(set, 2));
    keep(set, whatif::unlimited, without_limit);
    if (set.channels || f_.remedies.back().rest != BoundKind::compute) return;
    set.channels = true;
    faster(std::move(set));
  }

  // Of a set that hides the wait when it is fast enough.
  void least_factor(const Set& set) {
    whatif::Outcome best = simulate(set, grid(grid_last));
    if (!hidden(best)) {
      keep(set, 2, simulate(set, 2));
      return keep(set, grid(grid_last), best);
    }
    int low = grid_first - 1, high = grid_last;  // high hides it, low does not
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      whatif::Outcome outcome = simulate(set, grid(middle));
      if (hidden(outcome))
        high = middle, best = std::move(outcome);
      else
        low = middle;
    }
    keep(set, grid(high), best);
  }

  // Adds the links that bound the operations now, and all that are alike: with some of them faster, the others are next. False
  // when there are none that are new.
  bool add_next(const whatif::Outcome& outcome, std::vector<bool>& classes) const {
    bool added = false;
    for (const auto& [label, exposure] : outcome.exposures) {
      if (!ours(label)) continue;
      for (LinkId link : exposure.links) {
        const Index found = r_.simulation.problem.class_of_link[link];
        for (Index k = 0; found != none && k < classes.size(); ++k)
          if (!classes[k] && alike(k, found)) classes[k] = added = true;
      }
    }
    return added;
  }

  // As findings gather links: the kinds of device they join, and their speed.
  bool alike(Index a, Index b) const {
    return a == b || (r_.simulation.problem.links[a].bytes_per_s == r_.simulation.problem.links[b].bytes_per_s &&
                      cable_base(r_.names.link_base(a)) == cable_base(r_.names.link_base(b)));
  }

  // Cables are bought whole: the other direction of each link gets faster too.
  whatif::Outcome simulate(const Set& set, double factor) const {
    whatif::Change change;
    change.bandwidth_factor = factor;
    if (set.channels) change.channels = f_.labels;
    const topology::Fabric& fabric = r_.simulation.fabric;
    std::map<std::tuple<topology::VertexId, topology::VertexId, int>, LinkId> by_ends;
    for (LinkId l = 0; l < fabric.link_count(); ++l) by_ends[{fabric.source(l), fabric.target(l), fabric.link(l).lane}] = l;
    for (LinkId l = 0; l < fabric.link_count(); ++l)
      if (const Index k = r_.simulation.problem.class_of_link[l]; k != none && set.classes[k]) {
        change.links.push_back(l);
        const auto back = by_ends.find({fabric.target(l), fabric.source(l), fabric.link(l).lane});
        if (back != by_ends.end()) change.links.push_back(back->second);
      }
    std::sort(change.links.begin(), change.links.end());
    change.links.erase(std::unique(change.links.begin(), change.links.end()), change.links.end());
    return try_(change);
  }

  void keep(const Set& set, double factor, const whatif::Outcome& outcome) {
    Remedy remedy{Remedy::Kind::bandwidth, {}, set.channels, factor, hidden(outcome), left(outcome), rest(outcome),
                  outcome.step_s};
    for (Index k = 0; k < set.classes.size(); ++k)
      if (set.classes[k]) remedy.links.push_back(r_.names.link(k));
    f_.remedies.push_back(std::move(remedy));
  }

  // What bounds most of what GPUs still wait for the operations.
  BoundKind rest(const whatif::Outcome& outcome) const {
    std::array<double, 4> sum{};
    for (const auto& [label, exposure] : outcome.exposures)
      for (std::size_t i = 0; i < sum.size() && ours(label); ++i) sum[i] += exposure.by_bound[i];
    return static_cast<BoundKind>(std::max_element(sum.begin(), sum.end()) - sum.begin());
  }

  // ---- everything else ----------------------------------------------------------------------------------------------------

  void without_latency() {
    whatif::Change change;
    change.no_latency = f_.labels;
    const whatif::Outcome outcome = try_(change);
    f_.remedies.push_back(
        {Remedy::Kind::no_latency, {}, false, 1, hidden(outcome), left(outcome), rest(outcome), outcome.step_s});
  }

  void peers() {
    if (!r_.scenario.faults.slow.empty() || !r_.scenario.faults.links.empty()) {
      whatif::Change change;
      change.healthy = true;
      state_remedy(Remedy::Kind::healthy, 1, change);
    }
    if (f_.state == State::bubble && r_.scenario.parallelism.pipeline > 1) {
      whatif::Change change;
      change.batch_factor = 2;
      state_remedy(Remedy::Kind::batch, 2, change);
    }
  }

  // What is left of the whole state; a peer's lateness has no label of its own.
  void state_remedy(Remedy::Kind kind, double factor, const whatif::Change& change) {
    const whatif::Outcome outcome = try_(change);
    const double gpus = static_cast<double>(r_.simulation.graph.rank_program.size());
    const double now = at(r_.breakdown.mean, f_.state) * gpus, then = at(outcome.mean, f_.state) * gpus;
    const double remains = std::max(0.0, then - (now - f_.gpu_seconds));
    f_.remedies.push_back(
        {kind, {}, false, factor, remains <= part_left * f_.gpu_seconds, remains, BoundKind::peer, outcome.step_s});
  }

  const RunReport& r_;
  const TryOut& try_;
  Finding& f_;
  double all_ = 0;  // GPU-seconds of waits for the finding's operations, whatever bounds them
};

}  // namespace

void find_remedies(const RunReport& report, const TryOut& try_out, std::size_t count, Why& why) {
  for (std::size_t i = 0; i < std::min(count, why.findings.size()); ++i) Search(report, try_out, why.findings[i]).run();
}

}  // namespace gridlock::report
