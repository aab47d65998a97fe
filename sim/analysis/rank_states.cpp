#include "sim/analysis/rank_states.hpp"

#include <algorithm>
#include <vector>

namespace gridlock::analysis {
namespace {

using parallel::Task;
using parallel::TaskKind;

class Walk {
 public:
  Walk(const History& history, Index rank, const std::function<void(const Interval&)>& visit)
      : h_(history), rank_(rank), visit_(visit), cursor_(history.timeline.window_start()), end_(history.timeline.window_end()) {}

  void run() {
    for (Index t : h_.index(rank_).stream_tasks[0]) {
      if (!h_.reported(h_.task(rank_, t))) continue;
      const engine::TaskTime& time = h_.time(rank_, t);
      if (time.start > cursor_) explain(h_.cause(rank_, t), time.start);
      if (h_.task(rank_, t).kind == TaskKind::collective)
        collective(t);
      else if (h_.in_pieces(rank_, t))
        pieces(t);
      else
        whole(t);
    }
    emit(end_, {.state = State::bubble});
  }

 private:
  // Extends the sequence up to `until` with the given interval.
  void emit(double until, Interval interval) {
    until = std::min(until, end_);
    if (until <= cursor_) return;
    interval.start = cursor_;
    interval.end = cursor_ = until;
    visit_(interval);
  }

  // The compute stream waits up to `until`, when task t ends. Earlier parts of the wait are put to what t itself waited for.
  void explain(Index t, double until) {
    std::vector<Index> chain;  // t, its cause, the cause's cause ... back to what was running when the wait began
    for (; t != none; t = h_.cause(rank_, t)) {
      chain.push_back(t);
      if (h_.task(rank_, t).kind == TaskKind::receive || h_.time(rank_, t).start <= cursor_) break;
    }
    for (std::size_t i = chain.size(); i-- > 0;) wait_for(chain[i], std::min(h_.time(rank_, chain[i]).finish, until));
    emit(until, {.state = State::other, .task = chain.empty() ? none : chain.front()});
  }

  // The part of a wait in which t runs.
  void wait_for(Index t, double until) {
    switch (h_.task(rank_, t).kind) {
      case TaskKind::receive: {
        const History::Sender sender = h_.sender(rank_, t);
        const double sent = h_.time(sender.rank, sender.task).start;
        emit(std::min(sent, until), {.state = State::bubble, .task = t, .peer_rank = sender.rank, .peer_task = sender.task});
        return emit(until, {.state = State::exposed_pipeline, .task = t, .peer_rank = sender.rank, .peer_task = sender.task});
      }
      case TaskKind::send:
        return emit(until, {.state = State::exposed_pipeline, .task = t});
      case TaskKind::collective:
        emit(std::min(h_.instance(rank_, t).joined, until), {.state = State::straggler, .task = t});
        return emit(until, {.state = exposed(dimension(t)), .task = t});
      case TaskKind::block:
        return emit(until, {.state = State::other, .task = t});
    }
  }

  parallel::Dimension dimension(Index t) const {
    return h_.problem.communicators[h_.communicator(rank_, h_.task(rank_, t).slot)].dimension;
  }

  void collective(Index t) {
    emit(h_.instance(rank_, t).joined, {.state = State::straggler, .task = t});
    emit(h_.time(rank_, t).finish, {.state = exposed(dimension(t)), .task = t});
  }

  // A kernel that starts now and ends at `until`: first the device's time, then the host's.
  void kernel(Index t, std::int16_t op_number, double until) {
    const model::BlockOp& op = h_.block(rank_, t).ops[static_cast<std::size_t>(op_number)];
    const double host = engine::host_seconds(op, h_.speed(rank_));
    emit(until - host,
         {.state = op.bound == model::Bound::compute ? State::compute : State::memory_bound, .task = t, .op = op_number});
    emit(until, {.state = State::host, .task = t, .op = op_number});
  }

  // A block that ran as one activity, alone or in a run. Its members then arrived together: no call waits for anybody.
  void whole(Index t) {
    const model::Block& block = h_.block(rank_, t);
    const engine::BlockTiming& timing = h_.block_timing(rank_, t);
    const double base = h_.time(rank_, t).start;
    // A wait belongs to the calls that run meanwhile; what rounding leaves between two kernels goes to the second.
    const auto wait_until = [&](double until) {
      for (std::size_t call = 0; call < block.ops.size() && cursor_ < until; ++call) {
        const engine::OpTime& time = timing.ops[call];
        if (!block.ops[call].is_collective || base + time.finish <= cursor_ || base + time.start >= until) continue;
        emit(std::min(base + time.finish, until),
             {.state = State::exposed_tensor, .task = t, .op = static_cast<std::int16_t>(call)});
      }
    };
    for (std::size_t i = 0; i < block.ops.size(); ++i) {
      if (block.ops[i].is_collective) continue;
      wait_until(base + timing.ops[i].start);
      kernel(t, static_cast<std::int16_t>(i), base + timing.ops[i].finish);
    }
    wait_until(h_.time(rank_, t).finish);
  }

  // A block that was simulated piece by piece.
  void pieces(Index t) {
    const std::vector<engine::Segment>& segments = h_.timeline.segments[h_.task(rank_, t).what];
    const model::Block& block = h_.block(rank_, t);
    for (std::size_t s = 0; s < segments.size(); ++s) {
      if (segments[s].is_collective) continue;
      const engine::SegmentTime& time = h_.segment_time(rank_, t, s);
      wait_for_calls(t, segments, time.start);
      double until = time.start;
      for (std::int16_t op = segments[s].first_op; op <= segments[s].last_op; ++op) {
        if (block.ops[static_cast<std::size_t>(op)].stream != segments[s].stream) continue;
        until = op == segments[s].last_op
                    ? time.finish
                    : until + engine::kernel_seconds(block.ops[static_cast<std::size_t>(op)], h_.speed(rank_));
        kernel(t, op, until);
      }
    }
    wait_for_calls(t, segments, h_.time(rank_, t).finish);
  }

  // The tensor stream is serial, so its calls cover every wait inside a block.
  void wait_for_calls(Index t, const std::vector<engine::Segment>& segments, double until) {
    for (std::size_t s = 0; s < segments.size() && cursor_ < until; ++s) {
      if (!segments[s].is_collective) continue;
      const engine::SegmentTime& time = h_.segment_time(rank_, t, s);
      if (time.finish <= cursor_ || time.start >= until) continue;
      const double joined = h_.timeline.instances[h_.communicator(rank_, 0)][time.instance].joined;
      emit(std::min(joined, until), {.state = State::straggler, .task = t, .op = segments[s].first_op});
      emit(std::min(time.finish, until), {.state = State::exposed_tensor, .task = t, .op = segments[s].first_op});
    }
    emit(until, {.state = State::exposed_tensor, .task = t});
  }

  const History& h_;
  Index rank_;
  const std::function<void(const Interval&)>& visit_;
  double cursor_, end_;
};

}  // namespace

void visit_states(const History& history, Index rank, const std::function<void(const Interval&)>& visit) {
  Walk(history, rank, visit).run();
}

}  // namespace gridlock::analysis
