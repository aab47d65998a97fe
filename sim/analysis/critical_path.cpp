#include "sim/analysis/critical_path.hpp"

#include <algorithm>

namespace gridlock::analysis {
namespace {

using parallel::TaskKind;

class Walker {
 public:
  explicit Walker(const History& history)
      : h_(history), now_(history.timeline.window_end()), floor_(history.timeline.window_start()) {}

  CriticalPath run() {
    last_finisher();
    while (task_ != none && now_ > floor_) step();
    take(floor_, State::other);  // nothing before the window
    std::reverse(path_.pieces.begin(), path_.pieces.end());
    return std::move(path_);
  }

 private:
  void last_finisher() {
    for (Index r = 0; r < h_.problem.ranks.size(); ++r)
      for (Index t = 0; t < h_.program(r).tasks.size(); ++t)
        if (h_.reported(h_.task(r, t)) && (task_ == none || h_.time(r, t).finish > h_.time(rank_, task_).finish))
          rank_ = r, task_ = t;
  }

  // Puts the time from `from` to now_ to a state, and goes back to `from`.
  void take(double from, State state) { at(path_.seconds, state) += advance(from); }
  void take_latency(double from) { path_.latency_s += advance(from); }
  double advance(double from) {
    from = std::max(from, floor_);
    if (from >= now_) return 0;
    if (task_ != none) path_.pieces.push_back({from, now_, rank_, task_});
    const double seconds = now_ - from;
    now_ = from;
    return seconds;
  }

  void go_to_cause() { task_ = h_.cause(rank_, task_); }

  void step() {
    const engine::TaskTime& time = h_.time(rank_, task_);
    switch (h_.task(rank_, task_).kind) {
      case TaskKind::send: {
        const Index message =
            h_.problem.rank_message_out[rank_ * std::size_t{h_.graph().message_slots} + h_.task(rank_, task_).slot];
        take(time.start + h_.problem.flows[h_.problem.messages[message].flow].latency_s, State::exposed_pipeline);
        take_latency(time.start);
        return go_to_cause();
      }
      case TaskKind::receive: {
        const History::Sender sender = h_.sender(rank_, task_);
        rank_ = sender.rank, task_ = sender.task;
        return;
      }
      case TaskKind::collective: {
        const Index communicator = h_.communicator(rank_, h_.task(rank_, task_).slot);
        const engine::CallInstance instance = h_.instance(rank_, task_);
        take_call(communicator, h_.task(rank_, task_).what, instance.joined);
        rank_ = instance.last_rank, task_ = instance.last_task;
        return go_to_cause();
      }
      case TaskKind::block:
        return h_.in_pieces(rank_, task_) ? pieces() : whole();
    }
  }

  void take_call(Index communicator, Index call, double joined) {
    const engine::CommunicatorClass& one = h_.problem.communicators[communicator];
    take(joined + h_.problem.traffic->plan(one.shape, call).choice.latency_s, exposed(one.dimension));
    take_latency(joined);
  }

  void take_kernel(const model::BlockOp& op, double start) {
    take(now_ - engine::host_seconds(op, h_.speed(rank_)), State::host);
    take(start, op.bound == model::Bound::compute ? State::compute : State::memory_bound);
  }

  void whole() {
    const model::Block& block = h_.block(rank_, task_);
    const engine::BlockTiming& timing = h_.block_timing(rank_, task_);
    const double base = h_.time(rank_, task_).start;
    int op = -1;
    for (std::size_t i = 0; i < block.ops.size(); ++i)
      if (op < 0 || timing.ops[i].finish > timing.ops[static_cast<std::size_t>(op)].finish) op = static_cast<int>(i);
    while (op >= 0 && now_ > floor_) {
      const auto i = static_cast<std::size_t>(op);
      const double start = base + timing.ops[i].start;
      if (block.ops[i].is_collective)
        take_call(h_.communicator(rank_, 0), h_.graph().block_calls[h_.task(rank_, task_).what][i], start);
      else
        take_kernel(block.ops[i], start);
      op = op_before(block, i, [&](std::size_t k) { return timing.ops[k].finish; });
    }
    take(base, State::other);
    go_to_cause();
  }

  // The op (or segment) that let i start: the latest of the one before it on its stream and those in `after`.
  static int op_before(const model::Block& block, std::size_t i, auto finish) {
    int latest = -1;
    const auto consider = [&](int k) {
      if (latest < 0 || finish(static_cast<std::size_t>(k)) > finish(static_cast<std::size_t>(latest))) latest = k;
    };
    for (std::size_t k = i; k-- > 0;)
      if (block.ops[k].stream == block.ops[i].stream) {
        consider(static_cast<int>(k));
        break;
      }
    for (std::int16_t earlier : block.ops[i].after)
      if (earlier >= 0) consider(earlier);
    return latest;
  }

  // Walks the pieces of a block, crossing to the member that came last at each call.
  void pieces() {
    int s = -1;
    const auto segments = [&]() -> const std::vector<engine::Segment>& {
      return h_.timeline.segments[h_.task(rank_, task_).what];
    };
    for (std::size_t i = 0; i < segments().size(); ++i)
      if (s < 0 || h_.segment_time(rank_, task_, i).finish > h_.segment_time(rank_, task_, static_cast<std::size_t>(s)).finish)
        s = static_cast<int>(i);
    while (s >= 0 && now_ > floor_) {
      const auto i = static_cast<std::size_t>(s);
      const engine::SegmentTime time = h_.segment_time(rank_, task_, i);
      if (segments()[i].is_collective) {
        const Index communicator = h_.communicator(rank_, 0);
        const engine::CallInstance& instance = h_.timeline.instances[communicator][time.instance];
        take_call(communicator, instance.call, instance.joined);
        rank_ = instance.last_rank, task_ = instance.last_task;
        s = segment_before(segments(), static_cast<std::size_t>(instance.last_segment));
        continue;
      }
      const model::Block& block = h_.block(rank_, task_);
      for (int op = segments()[i].last_op; op >= segments()[i].first_op; --op) {
        const model::BlockOp& one = block.ops[static_cast<std::size_t>(op)];
        if (one.stream == segments()[i].stream)
          take_kernel(one, op == segments()[i].first_op ? time.start : now_ - engine::kernel_seconds(one, h_.speed(rank_)));
      }
      s = segment_before(segments(), i);
    }
    take(h_.time(rank_, task_).start, State::other);
    go_to_cause();
  }

  int segment_before(const std::vector<engine::Segment>& segments, std::size_t i) const {
    int latest = -1;
    const auto consider = [&](std::size_t k) {
      if (latest < 0 ||
          h_.segment_time(rank_, task_, k).finish > h_.segment_time(rank_, task_, static_cast<std::size_t>(latest)).finish)
        latest = static_cast<int>(k);
    };
    for (std::size_t k = i; k-- > 0;)
      if (segments[k].stream == segments[i].stream) {
        consider(k);
        break;
      }
    for (std::int16_t earlier : segments[i].after) consider(static_cast<std::size_t>(earlier));
    return latest;
  }

  const History& h_;
  CriticalPath path_;
  double now_, floor_;
  Index rank_ = none, task_ = none;
};

}  // namespace

CriticalPath find_critical_path(const History& history) { return Walker(history).run(); }

}  // namespace gridlock::analysis
