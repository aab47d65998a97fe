#include "sim/report/summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/parallel/layout.hpp"
#include "sim/report/format.hpp"

namespace gridlock::report {
namespace {

constexpr std::array<std::string_view, analysis::state_count> state_titles = {"compute-bound kernels",
                                                                              "memory-bound kernels",
                                                                              "host dispatch",
                                                                              "tensor-parallel comm.",
                                                                              "pipeline messages",
                                                                              "data-parallel comm.",
                                                                              "context-parallel comm.",
                                                                              "expert-parallel comm.",
                                                                              "waiting for stragglers",
                                                                              "pipeline bubble",
                                                                              "other"};

std::string schedule_name(scenario::Schedule schedule) {
  switch (schedule) {
    case scenario::Schedule::gpipe:
      return "GPipe";
    case scenario::Schedule::one_f_one_b:
      return "1F1B";
    case scenario::Schedule::interleaved_1f1b:
      return "interleaved 1F1B";
  }
  return "";
}

// Names come from files: control characters must not reach the terminal.
std::string printable(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return text;
}

std::string header(const RunReport& r) {
  const scenario::Scenario& s = r.scenario;
  const scenario::Parallelism& p = s.parallelism;
  std::string text = fmt::format("{}: {} on {} x {} ({} nodes)\n", printable(s.name), printable(s.model.name),
                                 thousands(p.ranks()), printable(s.cluster.node.gpu.name), s.cluster.nodes);
  text += fmt::format("  tensor {} x pipeline {} x data {}, {}", p.tensor, p.pipeline, p.data,
                      p.pipeline > 1 ? schedule_name(p.schedule) : "no pipeline");
  if (p.virtual_stages > 1) text += fmt::format(" ({} virtual stages)", p.virtual_stages);
  text += fmt::format(", batch {} x {} tokens, {} micro-batches of {}\n", s.batch.global, s.batch.sequence, s.micro_batches(),
                      s.batch.micro);
  return text;
}

std::string figures(const RunReport& r) {
  const StepFigures& f = r.step;
  std::string text = fmt::format("\n  step time        {:>12}", seconds(f.time_s));
  if (f.time_s_stderr) text += fmt::format(" +- {} (one standard error, of the profile's parameters)", seconds(*f.time_s_stderr));
  if (r.scenario.measured)
    text +=
        fmt::format("   measured {} ({:+.1f} %, {})", seconds(r.scenario.measured->step_time_s),
                    100 * (f.time_s / r.scenario.measured->step_time_s - 1), clip(printable(r.scenario.measured->source), 60));
  text += fmt::format("\n  tokens/s/GPU     {:>12}\n  MFU              {:>12}   {} with causal attention; hardware {}\n",
                      thousands(f.tokens_per_s_per_gpu), percent(f.mfu_full), percent(f.mfu_causal), percent(f.hfu));
  const parallel::MemoryUse& m = r.memory;
  text += fmt::format(
      "  memory           {:>12}   of {} (stage {}): weights {}, gradients {}, optimizer {}, activations {}, buffers {}\n",
      bytes(m.parts.total()), bytes(m.capacity_bytes), m.stage, bytes(m.parts.weights), bytes(m.parts.gradients),
      bytes(m.parts.optimizer), bytes(m.parts.activations), bytes(m.parts.buffers));
  return text;
}

std::string time_table(const analysis::Seconds& by_state, double total) {
  std::string text;
  for (std::size_t s = 0; s < analysis::state_count; ++s) {
    if (by_state[s] < total * 5e-5) continue;
    const double share = by_state[s] / total;
    text += fmt::format("  {:<24}{:>10}  {:>7}  {}\n", state_titles[s], seconds(by_state[s]), percent(share), bar(share, 30));
  }
  return text;
}

std::string bound_text(const RunReport& r, const analysis::Bound& bound) {
  const std::string name = r.names.bound(bound);
  return name.empty() ? std::string(Names::kind(bound.kind)) : name;
}

std::string worst_calls(const RunReport& r) {
  std::string text = "\n  communication that makes GPUs wait                   exposed     total  bus bandwidth  bound by\n";
  std::size_t shown = 0;
  // One line an operation: the group that waits longest stands for the others.
  std::vector<std::string> seen;
  for (const analysis::CallStatistics& call : r.calls) {
    const std::string label = r.call_label(call);
    if (std::find(seen.begin(), seen.end(), label) != seen.end()) continue;
    seen.push_back(label);
    if (call.exposed_s <= 0 && shown > 0) break;
    const double per_call = call.time_s / static_cast<double>(std::max<std::uint64_t>(call.calls, 1));
    double bus = 0;
    if (call.is_message) {
      bus = r.simulation.graph.transfers[call.call].bytes / per_call;
    } else {
      const parallel::Call& one = r.simulation.graph.calls[call.call];
      bus = one.bytes / per_call *
            collectives::bus_factor(one.kind, static_cast<int>(r.simulation.problem.communicators[call.subject].ranks));
    }
    text += fmt::format("  {:<50} {:>9} {:>9} {:>14}  {}\n", clip(label + ", " + r.call_group(call), 50), seconds(call.exposed_s),
                        seconds(call.time_s), bytes_per_second(bus), bound_text(r, call.bound));
    if (++shown == 3) break;
  }
  return shown == 0 ? "\n  no communication\n" : text;
}

std::string footer(const RunReport& r, const HostFigures& host, bool with_warnings) {
  const engine::Simulation& s = r.simulation;
  std::string text =
      fmt::format("\n  {}: {} ranks in {} classes, {} link classes, {} activities; {} wall, {} of memory\n",
                  s.problem.folded ? "folded" : "unfolded", thousands(static_cast<double>(s.graph.rank_program.size())),
                  s.problem.ranks.size(), s.problem.links.size(), thousands(static_cast<double>(s.timeline.activities)),
                  seconds(host.wall_s), bytes(host.peak_rss_bytes));
  if (with_warnings)
    for (const std::string& warning : r.warnings) text += "  warning: " + warning + "\n";
  return text;
}

}  // namespace

std::string_view state_title(analysis::State state) { return state_titles[static_cast<std::size_t>(state)]; }

std::string summary(const RunReport& r, const HostFigures& host, bool with_warnings) {
  return header(r) + figures(r) + "\n  where the time goes (mean over GPUs)\n" + time_table(r.breakdown.mean, r.step.time_s) +
         worst_calls(r) + footer(r, host, with_warnings);
}

std::string rank_summary(const RunReport& r, parallel::RankId rank) {
  const engine::Index k = r.simulation.problem.class_of_rank[rank];
  const parallel::Position p = parallel::Layout(r.scenario.parallelism).position_of(rank);
  const topology::GpuId gpu = r.simulation.graph.rank_gpu[rank];
  std::string text = fmt::format("\n  rank {}: {} (tensor {}, data {}, stage {}), like {} ranks: {}\n", rank,
                                 r.simulation.fabric.vertex_name(r.simulation.fabric.gpu_vertex(gpu)), p.tensor, p.data,
                                 p.pipeline, r.simulation.problem.ranks[k].members, clip(r.names.rank_list(k), 60));
  text += time_table(r.breakdown.ranks[k].seconds, r.step.time_s);
  if (!r.breakdown.ranks[k].waits.empty()) text += "  waits for\n";
  std::size_t shown = 0;
  for (const analysis::Wait& wait : r.breakdown.ranks[k].waits) {
    if (++shown > 8) break;
    const bool by_peer = wait.bound.kind == analysis::BoundKind::peer;
    text += fmt::format("  {:<36}{:>10}  {}{}\n", clip(wait.for_what, 36), seconds(wait.seconds), by_peer ? "by " : "bound by ",
                        bound_text(r, wait.bound));
  }
  return text;
}

}  // namespace gridlock::report
