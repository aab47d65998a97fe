#include "sim/report/trace.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "sim/analysis/rank_states.hpp"
#include "sim/engine/deadlock.hpp"

namespace gridlock::report {
namespace {

using analysis::Index;
using analysis::Interval;
using analysis::State;
using parallel::TaskKind;

constexpr int compute_track = 0, tensor_track = 100;
constexpr std::array<std::string_view, 6> stream_names = {"compute",       "data-parallel",   "send forward",
                                                          "send backward", "receive forward", "receive backward"};

// Streams events to a file, compressed or not (gzopen's "T" writes plain).
class Writer {
 public:
  explicit Writer(const std::string& name) : name_(name) {
    const bool compress = name.size() > 3 && name.compare(name.size() - 3, 3, ".gz") == 0;
    file_ = gzopen(name.c_str(), compress ? "wb6" : "wbT");
    if (!file_) throw scenario::FileError(name, fmt::format("cannot write {}: {}", name, std::strerror(errno)));
    put("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n");
  }
  ~Writer() {
    if (file_) gzclose(file_);
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void event(const std::string& text) {
    put(first_ ? "" : ",\n");
    put(text);
    first_ = false;
  }

  void close() {
    put("\n]}\n");
    const int status = gzclose(file_);
    file_ = nullptr;
    if (status != Z_OK) fail();
  }

 private:
  void put(std::string_view text) {
    if (!text.empty() && gzwrite(file_, text.data(), static_cast<unsigned>(text.size())) <= 0) fail();
  }
  [[noreturn]] void fail() const {
    throw scenario::FileError(name_, fmt::format("cannot write {}: disk full or device error", name_));
  }

  std::string name_;
  gzFile file_ = nullptr;
  bool first_ = true;
};

std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

class Trace {
 public:
  Trace(const RunReport& report, Writer& writer)
      : r_(report), h_(report.history), writer_(writer), origin_(h_.timeline.window_start()) {}

  void process(Index rank_class, const std::string& name) {
    metadata("process_name", rank_class, 0, name);
    for (std::size_t s = 0; s < h_.program(rank_class).streams; ++s)
      metadata("thread_name", rank_class, static_cast<int>(s),
               s < stream_names.size() ? std::string(stream_names[s]) : fmt::format("stream {}", s));
    metadata("thread_name", rank_class, tensor_track, "tensor-parallel");
    analysis::visit_states(h_, rank_class, [&](const Interval& i) { compute_interval(rank_class, i); });
    for (Index t = 0; t < h_.program(rank_class).tasks.size(); ++t) task(rank_class, t);
  }

  void link_counters() {
    for (Index k = 0; k < h_.problem.links.size(); ++k) {
      const std::vector<float>& slices = r_.loads.slice_bytes[k];
      if (slices.empty()) continue;
      const std::string name = quoted("load: " + r_.names.link(k));
      float last = -1;
      for (std::size_t s = 0; s < slices.size(); ++s) {
        if (slices[s] == last) continue;
        last = slices[s];
        writer_.event(
            fmt::format("{{\"ph\":\"C\",\"pid\":1000000,\"name\":{},\"ts\":{:.3f},\"args\":{{\"%\":{:.1f}}}}}", name,
                        1e6 * r_.loads.slice_s * static_cast<double>(s),
                        std::min(100.0, 100 * static_cast<double>(slices[s]) / (r_.loads.capacity[k] * r_.loads.slice_s))));
      }
    }
    metadata("process_name", 1000000, 0, "links");
  }

 private:
  void metadata(const char* what, std::uint64_t pid, int tid, const std::string& name) {
    writer_.event(fmt::format("{{\"ph\":\"M\",\"pid\":{},\"tid\":{},\"name\":\"{}\",\"args\":{{\"name\":{}}}}}", pid, tid, what,
                              quoted(name)));
  }

  void span(Index rank_class, int track, const std::string& name, std::string_view category, double start, double end,
            const std::string& arguments = "{}") {
    if (end <= start || end <= origin_) return;
    start = std::max(start, origin_);
    // Whole nanoseconds, ends and not lengths rounded: neighbours touch and never overlap.
    const long long from = std::llround(1e9 * (start - origin_)), to = std::llround(1e9 * (end - origin_));
    writer_.event(fmt::format(
        "{{\"ph\":\"X\",\"pid\":{},\"tid\":{},\"name\":{},\"cat\":\"{}\",\"ts\":{}.{:03},\"dur\":{}.{:03},\"args\":{}}}",
        rank_class, track, quoted(name), category, from / 1000, from % 1000, (to - from) / 1000, (to - from) % 1000, arguments));
  }

  void compute_interval(Index rank_class, const Interval& i) {
    const std::string_view category = analysis::state_names[static_cast<std::size_t>(i.state)];
    if (i.state == State::compute || i.state == State::memory_bound) {
      const parallel::Task& task = h_.task(rank_class, i.task);
      const model::Block& block = h_.block(rank_class, i.task);
      span(rank_class, compute_track, block.ops[static_cast<std::size_t>(i.op)].label, category, i.start, i.end,
           fmt::format("{{\"block\":{},\"micro_batch\":{},\"chunk\":{},\"layer\":{}}}", quoted(block.name), task.micro_batch,
                       task.chunk, task.layer));
      return;
    }
    if (i.state == State::host) return;  // the gap between kernels shows it
    std::string name = std::string(category.substr(0, category.size() - 2));
    if (i.task != analysis::none && i.op < 0) name += ": " + engine::describe_task(h_.graph(), h_.task(rank_class, i.task));
    if (i.task != analysis::none && i.op >= 0)
      name += ": " + h_.block(rank_class, i.task).ops[static_cast<std::size_t>(i.op)].label;
    span(rank_class, compute_track, name, category, i.start, i.end);
  }

  void task(Index rank_class, Index t) {
    const parallel::Task& one = h_.task(rank_class, t);
    if (!h_.reported(one)) return;
    const engine::TaskTime& time = h_.time(rank_class, t);
    switch (one.kind) {
      case TaskKind::block:
        return tensor_calls(rank_class, t);
      case TaskKind::receive:
        return;  // posted ahead: drawn as the sender's message
      case TaskKind::send:
        return span(rank_class, one.stream, engine::describe_task(h_.graph(), one), "message", time.start, time.finish);
      case TaskKind::collective:
        if (one.stream != 0)
          span(rank_class, one.stream, h_.graph().calls[one.what].label, "collective", h_.instance(rank_class, t).joined,
               time.finish, fmt::format("{{\"bytes\":{:.0f},\"chunk\":{}}}", h_.graph().calls[one.what].bytes, one.chunk));
        return;
    }
  }

  void tensor_calls(Index rank_class, Index t) {
    const std::vector<Index>& calls = h_.graph().block_calls[h_.task(rank_class, t).what];
    if (h_.in_pieces(rank_class, t)) {
      const std::vector<engine::Segment>& segments = h_.timeline.segments[h_.task(rank_class, t).what];
      for (std::size_t s = 0; s < segments.size(); ++s) {
        if (!segments[s].is_collective) continue;
        const engine::SegmentTime& time = h_.segment_time(rank_class, t, s);
        const double joined = h_.timeline.instances[h_.communicator(rank_class, 0)][time.instance].joined;
        span(rank_class, tensor_track, h_.graph().calls[calls[static_cast<std::size_t>(segments[s].first_op)]].label,
             "collective", joined, time.finish);
      }
      return;
    }
    const engine::BlockTiming& timing = h_.block_timing(rank_class, t);
    const double base = h_.time(rank_class, t).finish - timing.total;
    for (std::size_t op = 0; op < calls.size(); ++op)
      if (calls[op] != analysis::none)
        span(rank_class, tensor_track, h_.graph().calls[calls[op]].label, "collective", base + timing.ops[op].start,
             base + timing.ops[op].finish);
  }

  const RunReport& r_;
  const analysis::History& h_;
  Writer& writer_;
  double origin_;
};

}  // namespace

void write_trace(const RunReport& report, const std::string& file, std::optional<parallel::RankId> only) {
  Writer writer(file);
  Trace trace(report, writer);
  if (only) {
    trace.process(report.simulation.problem.class_of_rank[*only], fmt::format("rank {}", *only));
  } else {
    for (Index k = 0; k < report.simulation.problem.ranks.size(); ++k)
      trace.process(k, fmt::format("{} ({} ranks)", report.names.rank(k), report.simulation.problem.ranks[k].members));
  }
  trace.link_counters();
  writer.close();
}

}  // namespace gridlock::report
