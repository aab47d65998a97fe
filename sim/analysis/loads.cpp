#include "sim/analysis/loads.hpp"

#include <algorithm>
#include <cmath>

namespace gridlock::analysis {
namespace {

class Meter {
 public:
  Meter(const History& history, LinkLoads& loads) : h_(history), loads_(loads) {}

  void flow(Index flow_class, double start, double finish, double bytes) {
    const engine::FlowClass& flow = h_.problem.flows[flow_class];
    for (std::uint32_t i = flow.first_link; i < flow.first_link + flow.link_count; ++i) {
      const engine::FlowLink& hop = h_.problem.flow_links[i];
      add(hop.link, start, finish, bytes * hop.weight);
    }
  }

 private:
  void add(Index link, double start, double finish, double bytes) {
    loads_.bytes[link] += bytes;
    std::vector<float>& slices = loads_.slice_bytes[link];
    if (slices.empty()) slices.assign(LinkLoads::slices, 0);
    const double a = std::max(0.0, (start - loads_.window_start) / loads_.slice_s);
    const double b = std::max(a, (finish - loads_.window_start) / loads_.slice_s);
    const auto slice_of = [](double x) { return std::min(static_cast<std::size_t>(x), LinkLoads::slices - 1); };
    const std::size_t first = slice_of(a), last = slice_of(b);
    if (first == last || b - a <= 0) {
      slices[first] += static_cast<float>(bytes);
      return;
    }
    for (std::size_t s = first; s <= last; ++s) {
      const double overlap = std::min(b, static_cast<double>(s + 1)) - std::max(a, static_cast<double>(s));
      slices[s] += static_cast<float>(bytes * std::max(0.0, overlap) / (b - a));
    }
  }

  const History& h_;
  LinkLoads& loads_;
};

// Calls inside blocks that ran as one activity left no flow records: their times follow from the block's.
void add_contracted_calls(const History& h, Meter& meter) {
  for (Index c = 0; c < h.problem.communicators.size(); ++c) {
    const engine::CommunicatorClass& communicator = h.problem.communicators[c];
    if (communicator.slot != 0 || !communicator.exclusive) continue;
    const Index rank = communicator.rank_classes.front();
    for (Index t : h.index(rank).stream_tasks[0]) {
      const parallel::Task& task = h.task(rank, t);
      if (!h.reported(task) || task.kind != parallel::TaskKind::block || h.in_pieces(rank, t)) continue;
      const engine::BlockTiming& timing = h.block_timing(rank, t);
      const double base = h.time(rank, t).finish - timing.total;
      for (std::size_t op = 0; op < timing.ops.size(); ++op) {
        const Index call = h.graph().block_calls[task.what][op];
        if (call == none) continue;
        const parallel::CallPlan& plan = h.problem.traffic->plan(communicator.shape, call);
        for (Index f : engine::flows_of_call(h.problem, communicator, call).flows)
          meter.flow(f, base + timing.ops[op].start + plan.choice.latency_s, base + timing.ops[op].finish,
                     h.problem.flows[f].share * plan.wire_bytes);
      }
    }
  }
}

}  // namespace

double LinkLoads::mean_utilization(Index link) const {
  return bytes[link] / (capacity[link] * slice_s * static_cast<double>(slices));
}

double LinkLoads::peak_utilization(Index link) const {
  if (slice_bytes[link].empty()) return 0;
  return std::min(1.0, static_cast<double>(*std::max_element(slice_bytes[link].begin(), slice_bytes[link].end())) /
                           (capacity[link] * slice_s));
}

double LinkLoads::utilization(Index link, double from, double to) const {
  if (slice_bytes[link].empty()) return 0;
  const auto slice_of = [&](double t) {
    return std::min(static_cast<std::size_t>(std::max(0.0, (t - window_start) / slice_s)), slices - 1);
  };
  double sum = 0;
  const std::size_t first = slice_of(from), last = slice_of(to);
  for (std::size_t s = first; s <= last; ++s) sum += static_cast<double>(slice_bytes[link][s]);
  return sum / (capacity[link] * slice_s * static_cast<double>(last - first + 1));
}

LinkLoads measure_loads(const History& h) {
  LinkLoads loads;
  loads.window_start = h.timeline.window_start();
  loads.slice_s = std::max(h.timeline.step_seconds(), 1e-12) / static_cast<double>(LinkLoads::slices);
  for (const engine::LinkClass& link : h.problem.links) loads.capacity.push_back(link.bytes_per_s);
  loads.bytes.assign(loads.capacity.size(), 0);
  loads.slice_bytes.resize(loads.capacity.size());
  Meter meter(h, loads);
  for (const engine::FlowRecord& record : h.timeline.flows) meter.flow(record.flow, record.start, record.finish, record.bytes);
  add_contracted_calls(h, meter);
  return loads;
}

}  // namespace gridlock::analysis
