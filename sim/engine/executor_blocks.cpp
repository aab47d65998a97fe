// Blocks: alone or in runs as one activity where nothing can come between, else piece by piece.
#include <algorithm>

#include "sim/engine/executor_state.hpp"
#include "sim/engine/joint_run.hpp"

namespace gridlock::engine {

void Executor::start_block(Index r, Index t) {
  if (!options_.contract) return open_frame(r, t);
  const Index communicator = communicator_of(r, 0);
  const bool lockstep = communicator != none && lockstep_[communicator];
  Index last = t;
  bool calls = false;
  double total = 0;
  for (Index next = t;; next = index(r).stream_tasks[0][index(r).position[next] + 1]) {
    const Index block = task(r, next).what;
    if (blocks_[block].has_calls && !lockstep) {
      if (next == t) return open_frame(r, t);
      break;
    }
    calls = calls || blocks_[block].has_calls;
    total += timing(r, block).total;
    last = next;
    if (next == index(r).run_end[t]) break;
  }
  ranks_[r].frame.task = t;
  if (!calls) return compute(Kind::run, r, last, total);
  // A joint run: all members of the tensor communicator arrive with the same run.
  arrive(r, t, -1, 0, none);
}

// Restores the times of the blocks of a run that ended now, having started at `joined`.
void Executor::restore_run(Index r, Index first, Index last, double joined) {
  double time = joined;
  const std::vector<Index>& tasks = index(r).stream_tasks[0];
  for (Index i = index(r).position[first];; ++i) {
    const Index t = tasks[i];
    if (t != first) timeline_.ranks[r].tasks[t].start = time;
    time = t == last ? backend_.now() : time + timing(r, task(r, t).what).total;
    complete(r, t, time);
    if (t == last) break;
  }
  ranks_[r].busy[0] = false;
  ready_.push_back({r, 0});
}

void Executor::finish_run(Index r, Index last) {
  const Index first = ranks_[r].frame.task;
  restore_run(r, first, last, timeline_.ranks[r].tasks[first].start);
}

// ---- joint runs of a tensor group ---------------------------------------------------------------------------------------

// True when all members arrived at the same time and run at the same speed: then they stay together.
bool Executor::in_step(const CommunicatorState& state) const {
  const auto& [first, task] = state.at.front();
  const double arrival = timeline_.ranks[first].tasks[task].start;
  return std::all_of(state.at.begin(), state.at.end(), [&](const std::pair<Index, Index>& member) {
    return timeline_.ranks[member.first].tasks[member.second].start == arrival &&
           problem_.ranks[member.first].speed == problem_.ranks[first].speed;
  });
}

void Executor::start_joint(Index c) {
  const CommunicatorState& state = communicators_[c];
  if (!in_step(state)) return work_out_joint(c);
  const auto [r, t] = state.at.front();
  double total = 0;
  for (Index i = index(r).position[t]; i <= index(r).position[index(r).run_end[t]]; ++i)
    total += timing(r, task(r, index(r).stream_tasks[0][i]).what).total;
  delay(Kind::joint, c, total);
}

void Executor::finish_joint(Index c) {
  CommunicatorState& state = communicators_[c];
  CallInstance& instance = timeline_.instances[c].back();
  instance.finish = backend_.now();
  const auto members = std::move(state.at);
  state.at.clear();
  state.arrived = 0;
  for (const auto& [r, t] : members) restore_run(r, t, index(r).run_end[t], instance.joined);
}

// Members that did not arrive together leave one by one.
void Executor::work_out_joint(Index c) {
  CommunicatorState& state = communicators_[c];
  const auto members = std::move(state.at);
  state.at.clear();
  state.arrived = 0;
  const auto [any, first] = members.front();
  const std::vector<Index>& order = index(any).stream_tasks[0];
  const std::span<const Index> run(order.data() + index(any).position[first],
                                   order.data() + index(any).position[index(any).run_end[first]] + 1);
  std::vector<JointMember> joint;
  for (const auto& [r, t] : members)
    joint.push_back({.rank = r,
                     .arrival = timeline_.ranks[r].tasks[t].start,
                     .timings = &timeline_.block_timings[timeline_.timing_class[r]],
                     .block_ends = {},
                     .segments = {}});
  const std::vector<CallInstance> calls = work_out(graph_, program(any), run, timeline_.segments, joint);

  std::vector<CallInstance>& instances = timeline_.instances[c];
  const auto base = static_cast<Index>(instances.size());
  if (reported(any, first)) {
    instances.insert(instances.end(), calls.begin(), calls.end());
    for (const CallInstance& call : calls) {
      const parallel::CallPlan& plan = problem_.traffic->plan(problem_.communicators[c].shape, call.call);
      for (Index f : flows_of_call(problem_, problem_.communicators[c], call.call).flows)
        log_flow(c, f, problem_.flows[f].share * plan.wire_bytes, call.joined + plan.choice.latency_s, call.finish);
    }
  }
  for (JointMember& member : joint) {
    RankTimeline& log = timeline_.ranks[member.rank];
    if (reported(any, first)) {
      for (SegmentTime& segment : member.segments)
        if (segment.instance != none) segment.instance += base;
      std::size_t next = log.segment_times.size();
      for (Index t : run) {
        log.segments[t] = static_cast<Index>(next);
        next += timeline_.segments[program(any).tasks[t].what].size();
      }
      log.segment_times.insert(log.segment_times.end(), member.segments.begin(), member.segments.end());
    }
    ranks_[member.rank].calls_made[0] = static_cast<Index>(instances.size());
    ranks_[member.rank].frame.block_ends = std::move(member.block_ends);
    delay(Kind::joint_member, member.rank, ranks_[member.rank].frame.block_ends.back() - backend_.now());
  }
}

void Executor::finish_joint_member(Index r) {
  const Frame& frame = ranks_[r].frame;
  const std::vector<Index>& order = index(r).stream_tasks[0];
  const Index first = index(r).position[frame.task];
  for (std::size_t i = 0; i < frame.block_ends.size(); ++i) {
    const Index t = order[first + i];
    if (i > 0) timeline_.ranks[r].tasks[t].start = frame.block_ends[i - 1];
    complete(r, t, i + 1 == frame.block_ends.size() ? backend_.now() : frame.block_ends[i]);
  }
  ranks_[r].busy[0] = false;
  ready_.push_back({r, 0});
}

// ---- piece by piece -----------------------------------------------------------------------------------------------------

void Executor::open_frame(Index r, Index t) {
  const std::vector<Segment>& segments = timeline_.segments[task(r, t).what];
  const std::size_t n = segments.size();
  Frame& frame = ranks_[r].frame;
  frame.task = t;
  frame.waiting.clear();
  for (const Segment& segment : segments) frame.waiting.push_back(static_cast<std::uint16_t>(segment.after.size()));
  frame.head = {0, 0};
  frame.busy = {false, false};
  frame.left = static_cast<std::uint32_t>(n);
  RankTimeline& log = timeline_.ranks[r];
  if (reported(r, t)) {
    frame.log = log.segments[t] = static_cast<Index>(log.segment_times.size());
    log.segment_times.resize(log.segment_times.size() + n);
  } else {
    frame.log = none;
    frame.scratch.assign(n, {});
  }
  if (n == 0) return complete_and_free(r, t);
  advance_frame(r);
}

SegmentTime& Executor::segment_time(Index r, std::int16_t s) {
  Frame& frame = ranks_[r].frame;
  const auto i = static_cast<std::size_t>(s);
  return frame.log == none ? frame.scratch[i] : timeline_.ranks[r].segment_times[frame.log + i];
}

const Segment& Executor::segment(Index r, std::int16_t s) const {
  return timeline_.segments[task(r, ranks_[r].frame.task).what][static_cast<std::size_t>(s)];
}

void Executor::advance_frame(Index r) {
  Frame& frame = ranks_[r].frame;
  const CompiledBlock& block = blocks_[task(r, frame.task).what];
  for (std::size_t s = 0; s < 2; ++s) {
    const std::vector<std::int16_t>& order = block.stream_segments[s];
    if (frame.busy[s] || frame.head[s] == order.size()) continue;
    const std::int16_t next = order[frame.head[s]];
    if (frame.waiting[static_cast<std::size_t>(next)] > 0) continue;
    frame.busy[s] = true;
    start_segment(r, next);
  }
}

void Executor::start_segment(Index r, std::int16_t s) {
  const Frame& frame = ranks_[r].frame;
  const Index block = task(r, frame.task).what;
  const Segment& one = segment(r, s);
  segment_time(r, s).start = backend_.now();
  if (one.is_collective) return arrive(r, frame.task, s, 0, graph_.block_calls[block][static_cast<std::size_t>(one.first_op)]);
  double seconds = 0;
  for (std::int16_t op = one.first_op; op <= one.last_op; ++op)
    if (graph_.blocks[block].ops[static_cast<std::size_t>(op)].stream == one.stream)
      seconds += kernel_seconds(graph_.blocks[block].ops[static_cast<std::size_t>(op)], problem_.ranks[r].speed);
  compute(Kind::segment, r, static_cast<Index>(s), seconds);
}

void Executor::finish_segment(Index r, std::int16_t s) {
  Frame& frame = ranks_[r].frame;
  segment_time(r, s).finish = backend_.now();
  const auto stream = static_cast<std::size_t>(segment(r, s).stream);
  frame.busy[stream] = false;
  ++frame.head[stream];
  for (std::int16_t next : blocks_[task(r, frame.task).what].successors[static_cast<std::size_t>(s)])
    --frame.waiting[static_cast<std::size_t>(next)];
  if (--frame.left == 0) return complete_and_free(r, frame.task);
  advance_frame(r);
}

// The call that rank class r is in: the head of its tensor stream.
std::int16_t Executor::current_call_segment(Index r) const {
  const Frame& frame = ranks_[r].frame;
  const auto stream = static_cast<std::size_t>(model::Stream::tensor);
  return blocks_[task(r, frame.task).what].stream_segments[stream][frame.head[stream]];
}

}  // namespace gridlock::engine
