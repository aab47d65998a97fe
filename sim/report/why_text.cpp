#include <fmt/format.h>

#include <algorithm>

#include "sim/report/format.hpp"
#include "sim/report/summary.hpp"
#include "sim/report/why.hpp"

namespace gridlock::report {
namespace {

using analysis::BoundKind;
using analysis::State;

constexpr std::size_t most_rank_classes = 16, most_findings = 10;

// "dp.reduce_scatter" as people say it.
std::string title(const Finding& f) {
  if (f.operation == "dp.reduce_scatter") return "DP gradient reduce-scatter";
  if (f.operation == "dp.all_reduce") return "DP gradient all-reduce";
  if (f.operation == "dp.all_gather") return "DP parameter all-gather";
  if (f.operation == "pp.forward") return "Pipeline activations (pp.forward)";
  if (f.operation == "pp.backward") return "Pipeline gradients (pp.backward)";
  std::string text = f.operation;
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

// "512 GPUs (stage 0)", "4,096 GPUs (all)".
std::string who(const RunReport& r, const Finding& f) {
  std::string names;
  if (f.ranks.size() == r.simulation.problem.ranks.size())
    names = "all";
  else if (f.ranks.size() > 3)
    names = fmt::format("{}; {} and {} more classes", r.names.rank(f.ranks[0]), r.names.rank(f.ranks[1]), f.ranks.size() - 2);
  else
    for (Index k : f.ranks) names += (names.empty() ? "" : "; ") + r.names.rank(k);
  return fmt::format("{} GPU{} ({})", thousands(f.gpus), f.gpus == 1 ? "" : "s", names);
}

// Why the peer is late: what it spends more time on than the GPUs that wait for it, its kernels or an operation.
std::string lateness(const RunReport& r, const Finding& f) {
  const Index waiting = f.ranks.front();
  if (f.peer == none || f.peer == waiting) return "";
  const auto kernels = [&](Index k) {
    const analysis::Seconds& s = r.breakdown.ranks[k].seconds;
    return at(s, State::compute) + at(s, State::memory_bound) + at(s, State::host);
  };
  const auto waits = [&](Index k, const std::string& label) {
    double sum = 0;
    for (const analysis::Wait& wait : r.breakdown.ranks[k].waits)
      if (analysis::is_exposed(wait.state) && wait.for_what == label) sum += wait.seconds;
    return sum;
  };
  double most = kernels(f.peer) - kernels(waiting);
  std::string text = fmt::format(", whose kernels take {} longer", seconds(most));
  for (const analysis::Wait& wait : r.breakdown.ranks[f.peer].waits) {
    if (!analysis::is_exposed(wait.state)) continue;
    const double longer = waits(f.peer, wait.for_what) - waits(waiting, wait.for_what);
    if (longer <= most) continue;
    most = longer;
    text = fmt::format(", which waits {} longer for {} ({})", seconds(longer), wait.for_what, r.names.bound(wait.bound));
  }
  return most > 0.01 * f.gpu_seconds / f.gpus ? text : "";
}

std::string speedup(const RunReport& r, double step_s) {
  const double change = 100 * (step_s / r.step.time_s - 1);
  if (seconds(step_s) == seconds(r.step.time_s))
    return fmt::format("the step takes {} as before ({:+.2f} %)", seconds(step_s), change);
  return fmt::format("the step takes {} instead of {} ({:+.1f} %)", seconds(step_s), seconds(r.step.time_s), change);
}

std::string times(double factor) { return factor == 2 ? std::string("twice") : fmt::format("{:.3g}x", factor); }

// "their bandwidth and that of leaf to spine": what is made faster.
std::string made_faster(const RunReport& r, const Finding& f, const Remedy& remedy) {
  std::vector<std::string> others;  // links that are as full
  for (Index link = 0; link < r.simulation.problem.links.size(); ++link) {
    if (std::find(remedy.links.begin(), remedy.links.end(), r.names.link(link)) == remedy.links.end()) continue;
    const std::string cable = cable_base(r.names.link_base(link));
    const bool known =
        std::any_of(f.links.begin(), f.links.end(), [&](Index k) { return cable_base(r.names.link_base(k)) == cable; });
    if (!known && std::find(others.begin(), others.end(), cable) == others.end()) others.push_back(cable);
  }
  std::string text = f.links.empty() ? "" : "their bandwidth";
  if (!others.empty()) text += fmt::format("{}that of {}", text.empty() ? "" : " and ", fmt::join(others, ", "));
  if (remedy.channels) text += fmt::format("{}the rate of the GPUs' channels", text.empty() ? "" : " and ");
  return text;
}

std::string bandwidth_sentence(const RunReport& r, const Finding& f, const Remedy& remedy) {
  const std::string what = made_faster(r, f, remedy);
  if (remedy.hides) return fmt::format("{} {} would hide it: {}", times(remedy.factor), what, speedup(r, remedy.step_s));
  const std::string left = seconds(remedy.left_gpu_seconds / f.gpus);
  if (remedy.factor != whatif::unlimited)
    return fmt::format("With {} {} it is {}: {}", times(remedy.factor), what, left, speedup(r, remedy.step_s));
  const std::string_view because = remedy.rest == BoundKind::compute   ? ": the GPUs' channels copy no faster"
                                   : remedy.rest == BoundKind::latency ? " of latency"
                                                                       : "";
  return fmt::format("However much one adds to {}, {} remain{}", what, left, because);
}

}  // namespace

std::string sentence(const RunReport& r, const Why& why, const Finding& f) {
  const double mean = f.gpu_seconds / f.gpus;
  const std::string share = percent(why.share(f)) + " of all GPU time";
  if (f.state == State::straggler)
    return fmt::format("{}: {} wait {} ({}) for the last to arrive, {}{}", title(f), who(r, f), seconds(mean), share,
                       f.bound_name, lateness(r, f));
  if (f.state == State::bubble && f.operation == analysis::end_of_step)
    return fmt::format("End of the step: {} are done {} before the last ({})", who(r, f), seconds(mean), share);
  if (f.state == State::bubble)
    return fmt::format("Pipeline bubble: {} wait {} ({}) for messages that are not sent yet, most of it for {}", who(r, f),
                       seconds(mean), share, f.bound_name);
  const std::string exposed = fmt::format("{} exposed for {} on {}, {}", title(f) + (f.labels.size() > 1 ? " are" : " is"),
                                          seconds(mean), who(r, f), share);
  switch (f.bound) {
    case BoundKind::link:
      return fmt::format("{}: {} links are full", exposed, f.bound_name);
    case BoundKind::latency:
      return fmt::format("{}: latency, not bandwidth", exposed);
    case BoundKind::compute:
      return fmt::format("{}: the GPUs' channels copy no faster, the links could", exposed);
    case BoundKind::peer:
      return fmt::format("{}: {}", exposed, f.bound_name);
  }
  return exposed;
}

std::string sentence(const RunReport& r, const Finding& f, const Remedy& remedy) {
  switch (remedy.kind) {
    case Remedy::Kind::bandwidth:
      return bandwidth_sentence(r, f, remedy);
    case Remedy::Kind::no_latency:
      return fmt::format("Without latency {}", speedup(r, remedy.step_s));
    case Remedy::Kind::healthy:
      return fmt::format("Without faults and background load {}", speedup(r, remedy.step_s));
    case Remedy::Kind::batch:
      return fmt::format("With twice the micro-batches (batch.global {}) it is {} of all GPU time", r.scenario.batch.global * 2,
                         percent(remedy.left_gpu_seconds / (remedy.step_s * double(r.simulation.graph.rank_program.size()))));
  }
  return "";
}

namespace {

std::string state_table(const RunReport& r, double gpus) {
  const auto& ranks = r.simulation.problem.ranks;
  const std::size_t shown = std::min(ranks.size(), most_rank_classes);
  std::string text = fmt::format("\n  GPU-seconds of the step by state: {:.4g} in all\n", gpus * r.step.time_s);
  for (std::size_t s = 0; s < analysis::state_count; ++s)
    if (r.breakdown.mean[s] > 1e-9 * r.step.time_s)  // less is rounding
      text += fmt::format("  {:<24}{:>12.4g}  {:>7}\n", state_title(static_cast<State>(s)), gpus * r.breakdown.mean[s],
                          percent(r.breakdown.mean[s] / r.step.time_s));
  text += "\n  by class of ranks, share of its time      kernels     host  exposed  straggler   bubble\n";
  for (Index k = 0; k < shown; ++k) {
    const analysis::Seconds& s = r.breakdown.ranks[k].seconds;
    double exposed = at(s, State::other);
    for (std::size_t i = 0; i < analysis::state_count; ++i)
      if (analysis::is_exposed(static_cast<State>(i))) exposed += s[i];
    const auto share = [&](double value) { return percent(value / r.step.time_s); };
    text += fmt::format("  {:<40}{:>9}{:>9}{:>9}{:>11}{:>9}\n",
                        clip(fmt::format("{} ({} GPUs)", r.names.rank(k), thousands(ranks[k].members)), 40),
                        share(at(s, State::compute) + at(s, State::memory_bound)), share(at(s, State::host)), share(exposed),
                        share(at(s, State::straggler)), share(at(s, State::bubble)));
  }
  if (shown < ranks.size()) text += fmt::format("  and {} classes more (--json has them all)\n", ranks.size() - shown);
  return text;
}

}  // namespace

std::string why_text(const RunReport& r, const Why& why) {
  std::string text = state_table(r, why.gpus) + "\n  why\n";
  if (why.findings.empty()) text += "  nothing waits for more than 0.1 % of the GPU time\n";
  std::size_t number = 0;
  for (const Finding& f : why.findings) {
    if (number == most_findings) {
      text += fmt::format("  and {} smaller ones (--json has them all)\n", why.findings.size() - number);
      break;
    }
    text += fmt::format("  {:>2}. {}.\n", ++number, sentence(r, why, f));
    for (const Remedy& remedy : f.remedies) text += fmt::format("      {}.\n", sentence(r, f, remedy));
  }
  return text;
}

}  // namespace gridlock::report
