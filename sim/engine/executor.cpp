#include "sim/engine/executor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "sim/engine/contraction.hpp"
#include "sim/engine/deadlock.hpp"

namespace gridlock::engine {
namespace {

using parallel::Task;
using parallel::TaskKind;

// A block as a small graph of segments.
struct CompiledBlock {
  std::vector<Segment> segments;
  std::array<std::vector<std::int16_t>, 2> stream_segments;
  std::vector<std::vector<std::int16_t>> successors;
  bool has_calls = false;
};

// The block that a rank class runs piece by piece at the moment.
struct Frame {
  Index task = none;
  const CompiledBlock* block = nullptr;
  std::vector<std::uint16_t> waiting;  // by segment: unfinished segments it waits for
  std::array<std::uint32_t, 2> head{};
  std::array<bool, 2> busy{};
  std::uint32_t left = 0;
  Index log = none;                  // first entry in segment_times
  std::vector<SegmentTime> scratch;  // instead, in steps that are not reported
};

struct RankState {
  std::vector<std::uint16_t> waiting;  // by task: unfinished dependencies
  std::vector<Index> head;             // by stream: next task
  std::vector<bool> busy;              // by stream
  std::vector<Index> calls_made;       // by communicator slot: next instance
  Frame frame;
  std::uint64_t left = 0;
};

struct CommunicatorState {
  std::uint32_t arrived = 0, flows_left = 0;
  std::vector<std::pair<Index, Index>> at;  // rank class, task (or segment's task) of those that arrived
  double flow_start = 0;
  bool log_flows = false;
};

struct MessageState {
  Index arrivals = 0, received = 0;
  double flow_start = 0;
  Index sending = none;  // the sender's task
};

enum class Kind : std::uint8_t { run, segment, joint, call_latency, call_flow, call_fixed, message_latency, message_flow };

struct Pending {
  Kind kind = Kind::run;
  Index subject = 0;  // rank class, communicator class or message class
  Index detail = 0;   // segment, flow
};

class Executor {
 public:
  Executor(const Problem& problem, Backend& backend, const ExecutorOptions& options)
      : problem_(problem), graph_(*problem.graph), backend_(backend), options_(options) {
    compile();
  }

  Timeline run() {
    for (Index r = 0; r < problem_.ranks.size(); ++r)
      for (std::uint8_t s = 0; s < program(r).streams; ++s) ready_.push_back({r, s});
    drain();
    backend_.run([this](Token token) {
      finish_activity(token);
      drain();
    });
    std::vector<std::string> blocked;
    for (Index r = 0; r < ranks_.size(); ++r)
      if (ranks_[r].left > 0) blocked.push_back(describe_blocked(problem_, timeline_.programs[problem_.ranks[r].program], r, ranks_[r].head, ranks_[r].waiting));
    if (!blocked.empty()) throw Deadlock(std::move(blocked));
    hash_timeline();
    return std::move(timeline_);
  }

 private:
  const parallel::Program& program(Index r) const { return graph_.programs[problem_.ranks[r].program]; }
  const Task& task(Index r, Index t) const { return program(r).tasks[t]; }
  const ProgramIndex& index(Index r) const { return timeline_.programs[problem_.ranks[r].program]; }
  bool reported(Index r, Index t) const { return task(r, t).step + 1 == graph_.steps; }
  Index communicator_of(Index r, std::uint8_t slot) const {
    return graph_.communicator_slots == 0 ? none : problem_.rank_communicator[static_cast<std::size_t>(r) * graph_.communicator_slots + slot];
  }

  void compile() {
    for (const parallel::Program& p : graph_.programs) timeline_.programs.emplace_back(p);
    timeline_.step_end.assign(static_cast<std::size_t>(graph_.steps), 0);
    for (std::size_t b = 0; b < graph_.blocks.size(); ++b) {
      CompiledBlock compiled;
      compiled.segments = segments_of(graph_.blocks[b], options_.contract);
      compiled.successors.resize(compiled.segments.size());
      for (std::size_t s = 0; s < compiled.segments.size(); ++s) {
        const Segment& segment = compiled.segments[s];
        compiled.stream_segments[static_cast<std::size_t>(segment.stream)].push_back(static_cast<std::int16_t>(s));
        for (std::int16_t earlier : segment.after) compiled.successors[static_cast<std::size_t>(earlier)].push_back(static_cast<std::int16_t>(s));
        compiled.has_calls = compiled.has_calls || segment.is_collective;
      }
      timeline_.segments.push_back(compiled.segments);
      blocks_.push_back(std::move(compiled));
    }
    communicators_.resize(problem_.communicators.size());
    messages_.resize(problem_.messages.size());
    timeline_.instances.resize(problem_.communicators.size());
    for (const CommunicatorClass& c : problem_.communicators) lockstep_.push_back(options_.contract && runs_in_lockstep(problem_, c));
    compile_ranks();
  }

  void compile_ranks() {
    std::map<std::tuple<Index, Index, double>, Index> timing_classes;  // (shape, exclusive representative, speed)
    ranks_.resize(problem_.ranks.size());
    timeline_.ranks.resize(problem_.ranks.size());
    for (Index r = 0; r < problem_.ranks.size(); ++r) {
      const parallel::Program& p = program(r);
      RankState& state = ranks_[r];
      state.waiting.reserve(p.tasks.size());
      for (const Task& t : p.tasks) state.waiting.push_back(t.dependency_count);
      state.head.assign(p.streams, 0);
      state.busy.assign(p.streams, false);
      state.calls_made.assign(graph_.communicator_slots, 0);
      state.left = p.tasks.size();
      timeline_.ranks[r].tasks.resize(p.tasks.size());
      timeline_.ranks[r].joint.assign(p.tasks.size(), none);
      timeline_.ranks[r].segments.assign(p.tasks.size(), none);

      const Index communicator = communicator_of(r, 0);
      const Index key = communicator != none && problem_.communicators[communicator].exclusive ? communicator : none;
      const auto [found, fresh] = timing_classes.try_emplace({key, key, problem_.ranks[r].speed}, static_cast<Index>(timeline_.block_timings.size()));
      if (fresh) timeline_.block_timings.push_back(time_blocks(problem_, key, problem_.ranks[r].speed));
      timeline_.timing_class.push_back(found->second);
    }
  }

  // ---- activities -------------------------------------------------------------------------------------------------------

  Token token(Kind kind, Index subject, Index detail = 0) {
    if (free_.empty()) {
      pending_.push_back({kind, subject, detail});
      return static_cast<Token>(pending_.size() - 1);
    }
    const Token t = free_.back();
    free_.pop_back();
    pending_[t] = {kind, subject, detail};
    return t;
  }

  void compute(Kind kind, Index r, Index detail, double seconds) {
    ++timeline_.activities;
    if (seconds > 0) return backend_.start_compute(token(kind, r, detail), r, seconds);
    immediate_.push_back(token(kind, r, detail));
  }

  void delay(Kind kind, Index subject, double seconds) {
    ++timeline_.activities;
    if (seconds > 0) return backend_.start_delay(token(kind, subject), seconds);
    immediate_.push_back(token(kind, subject));
  }

  void flow(Kind kind, Index subject, Index flow_class, double bytes, double cap) {
    ++timeline_.activities;
    if (bytes > 0 && problem_.flows[flow_class].link_count > 0) return backend_.start_flow(token(kind, subject, flow_class), flow_class, bytes, cap);
    immediate_.push_back(token(kind, subject, flow_class));
  }

  void finish_activity(Token t) {
    const Pending p = pending_[t];
    free_.push_back(t);
    switch (p.kind) {
      case Kind::run: return finish_run(p.subject, ranks_[p.subject].frame.task, p.detail);
      case Kind::segment: return finish_segment(p.subject, static_cast<std::int16_t>(p.detail));
      case Kind::joint: return finish_joint(p.subject);
      case Kind::call_latency: return start_call_flows(p.subject);
      case Kind::call_flow: return finish_call_flow(p.subject, p.detail);
      case Kind::call_fixed: return finish_call(p.subject);
      case Kind::message_latency: return start_message_flow(p.subject);
      case Kind::message_flow: return finish_message(p.subject);
    }
  }

  void drain() {
    while (!ready_.empty() || !immediate_.empty()) {
      if (ready_.empty()) {
        const Token t = immediate_.back();
        immediate_.pop_back();
        finish_activity(t);
        continue;
      }
      const auto [r, s] = ready_.back();
      ready_.pop_back();
      advance(r, s);
    }
  }

  // ---- tasks ------------------------------------------------------------------------------------------------------------

  void advance(Index r, std::uint8_t s) {
    RankState& state = ranks_[r];
    const std::vector<Index>& tasks = index(r).stream_tasks[s];
    if (state.busy[s] || state.head[s] == tasks.size() || state.waiting[tasks[state.head[s]]] > 0) return;
    const Index t = tasks[state.head[s]];
    state.busy[s] = true;
    timeline_.ranks[r].tasks[t].start = backend_.now();
    switch (task(r, t).kind) {
      case TaskKind::block: return start_block(r, t);
      case TaskKind::collective: return arrive(r, t, -1, task(r, t).slot, task(r, t).what);
      case TaskKind::send: return start_send(r, t);
      case TaskKind::receive: return try_receive(problem_.rank_message_in[static_cast<std::size_t>(r) * graph_.message_slots + task(r, t).slot]);
    }
  }

  void complete(Index r, Index t, double finish) {
    RankState& state = ranks_[r];
    const Task& done = task(r, t);
    timeline_.ranks[r].tasks[t].finish = finish;
    timeline_.step_end[done.step] = std::max(timeline_.step_end[done.step], finish);
    --state.left;
    ++state.head[done.stream];
    for (Index next : index(r).successors_of(t))
      if (--state.waiting[next] == 0 && task(r, next).stream != done.stream) ready_.push_back({r, task(r, next).stream});
  }

  void complete_and_free(Index r, Index t) {
    const std::uint8_t s = task(r, t).stream;
    complete(r, t, backend_.now());
    ranks_[r].busy[s] = false;
    ready_.push_back({r, s});
  }

  // ---- blocks -----------------------------------------------------------------------------------------------------------

  const BlockTiming& timing(Index r, Index block) const { return timeline_.block_timings[timeline_.timing_class[r]][block]; }

  void start_block(Index r, Index t) {
    const Index communicator = communicator_of(r, 0);
    const bool lockstep = communicator != none && lockstep_[communicator];
    if (!options_.contract) return open_frame(r, t);
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

  // Restores the times of the blocks of a run that ended now, having started together at `joined`.
  void finish_run_at(Index r, Index first, Index last, double joined) {
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

  void finish_run(Index r, Index first, Index last) { finish_run_at(r, first, last, timeline_.ranks[r].tasks[first].start); }

  void finish_joint(Index c) {
    CommunicatorState& state = communicators_[c];
    CallInstance& instance = timeline_.instances[c].back();
    instance.finish = backend_.now();
    const auto members = std::move(state.at);
    state.at.clear();
    state.arrived = 0;
    for (const auto& [r, t] : members) {
      const Index last = index(r).run_end[t];
      for (Index i = index(r).position[t]; i <= index(r).position[last]; ++i)
        timeline_.ranks[r].joint[index(r).stream_tasks[0][i]] = static_cast<Index>(timeline_.instances[c].size() - 1);
      finish_run_at(r, t, last, instance.joined);
    }
  }

  void open_frame(Index r, Index t) {
    Frame& frame = ranks_[r].frame;
    frame.task = t;
    frame.block = &blocks_[task(r, t).what];
    const std::size_t n = frame.block->segments.size();
    frame.waiting.assign(n, 0);
    for (std::size_t s = 0; s < n; ++s) frame.waiting[s] = static_cast<std::uint16_t>(frame.block->segments[s].after.size());
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

  SegmentTime& segment_time(Index r, std::int16_t s) {
    Frame& frame = ranks_[r].frame;
    const auto i = static_cast<std::size_t>(s);
    return frame.log == none ? frame.scratch[i] : timeline_.ranks[r].segment_times[frame.log + i];
  }

  void advance_frame(Index r) {
    Frame& frame = ranks_[r].frame;
    for (std::size_t s = 0; s < 2; ++s) {
      const std::vector<std::int16_t>& order = frame.block->stream_segments[s];
      if (frame.busy[s] || frame.head[s] == order.size()) continue;
      const std::int16_t next = order[frame.head[s]];
      if (frame.waiting[static_cast<std::size_t>(next)] > 0) continue;
      frame.busy[s] = true;
      start_segment(r, next);
    }
  }

  void start_segment(Index r, std::int16_t s) {
    const Frame& frame = ranks_[r].frame;
    const Index block = task(r, frame.task).what;
    const Segment& segment = frame.block->segments[static_cast<std::size_t>(s)];
    segment_time(r, s).start = backend_.now();
    if (segment.is_collective) return arrive(r, frame.task, s, 0, graph_.block_calls[block][static_cast<std::size_t>(segment.first_op)]);
    double seconds = 0;
    for (std::int16_t op = segment.first_op; op <= segment.last_op; ++op)
      if (graph_.blocks[block].ops[static_cast<std::size_t>(op)].stream == segment.stream)
        seconds += kernel_seconds(graph_.blocks[block].ops[static_cast<std::size_t>(op)], problem_.ranks[r].speed);
    compute(Kind::segment, r, static_cast<Index>(s), seconds);
  }

  void finish_segment(Index r, std::int16_t s) {
    Frame& frame = ranks_[r].frame;
    const auto i = static_cast<std::size_t>(s);
    segment_time(r, s).finish = backend_.now();
    const auto stream = static_cast<std::size_t>(frame.block->segments[i].stream);
    frame.busy[stream] = false;
    ++frame.head[stream];
    for (std::int16_t next : frame.block->successors[i]) --frame.waiting[static_cast<std::size_t>(next)];
    if (--frame.left == 0) return complete_and_free(r, frame.task);
    advance_frame(r);
  }

  // ---- collectives ------------------------------------------------------------------------------------------------------

  // Rank class r reaches its next call on the communicator of `slot`; `call` none: a joint run of blocks.
  void arrive(Index r, Index t, std::int16_t segment, std::uint8_t slot, Index call) {
    const Index c = communicator_of(r, slot);
    if (c == none) throw std::logic_error("a call on a communicator that the rank does not have");
    CommunicatorState& state = communicators_[c];
    const Index k = ranks_[r].calls_made[slot]++;
    std::vector<CallInstance>& instances = timeline_.instances[c];
    if (k >= instances.size()) instances.push_back({.call = call});
    CallInstance& instance = instances[k];
    if (k + 1 != instances.size() || instance.call != call) throw std::logic_error("members of a communicator disagree on its calls");
    const double now = backend_.now();
    if (segment >= 0) segment_time(r, segment).instance = k;
    else timeline_.ranks[r].joint[t] = k;
    if (instance.last_rank == none || now > instance.joined || r < instance.last_rank) {
      instance.last_rank = r;
      instance.last_task = t;
      instance.last_segment = segment;
    }
    instance.joined = now;
    state.log_flows = reported(r, t);
    state.at.push_back({r, t});
    if (++state.arrived < problem_.communicators[c].rank_classes.size()) return;
    if (call != none) return start_call(c, call);
    double total = 0;
    const Index last = index(r).run_end[t];
    for (Index i = index(r).position[t]; i <= index(r).position[last]; ++i) total += timing(r, task(r, index(r).stream_tasks[0][i]).what).total;
    delay(Kind::joint, c, total);
  }

  void start_call(Index c, Index call) {
    const CommunicatorClass& communicator = problem_.communicators[c];
    const parallel::CallPlan& plan = problem_.traffic->plan(communicator.shape, call);
    if (plan.wire_bytes == 0) return delay(Kind::call_fixed, c, plan.choice.latency_s);
    if (!options_.contract || !communicator.exclusive) return delay(Kind::call_latency, c, plan.choice.latency_s);
    const double seconds = exclusive_call_seconds(problem_, communicator, call);
    communicators_[c].flow_start = backend_.now() + plan.choice.latency_s;
    delay(Kind::call_fixed, c, seconds);
  }

  void start_call_flows(Index c) {
    const CommunicatorClass& communicator = problem_.communicators[c];
    const Index call = timeline_.instances[c].back().call;
    const parallel::CallPlan& plan = problem_.traffic->plan(communicator.shape, call);
    const FlowRange& range = flows_of_call(problem_, communicator, call);
    communicators_[c].flows_left = static_cast<std::uint32_t>(range.flows.size());
    communicators_[c].flow_start = backend_.now();
    for (Index f : range.flows)
      flow(Kind::call_flow, c, f, problem_.flows[f].share * plan.wire_bytes, flow_rate_cap(plan, problem_.flows[f]));
  }

  void log_flow(Index c, Index f, double bytes, double start) {
    if (communicators_[c].log_flows) timeline_.flows.push_back({f, start, backend_.now(), bytes});
  }

  void finish_call_flow(Index c, Index f) {
    const CommunicatorClass& communicator = problem_.communicators[c];
    const parallel::CallPlan& plan = problem_.traffic->plan(communicator.shape, timeline_.instances[c].back().call);
    log_flow(c, f, problem_.flows[f].share * plan.wire_bytes, communicators_[c].flow_start);
    if (--communicators_[c].flows_left == 0) release_members(c);
  }

  void finish_call(Index c) {
    const CommunicatorClass& communicator = problem_.communicators[c];
    const Index call = timeline_.instances[c].back().call;
    const parallel::CallPlan& plan = problem_.traffic->plan(communicator.shape, call);
    for (Index f : flows_of_call(problem_, communicator, call).flows) log_flow(c, f, problem_.flows[f].share * plan.wire_bytes, communicators_[c].flow_start);
    release_members(c);
  }

  void release_members(Index c) {
    CommunicatorState& state = communicators_[c];
    timeline_.instances[c].back().finish = backend_.now();
    const auto members = std::move(state.at);
    state.at.clear();
    state.arrived = 0;
    for (const auto& [r, t] : members) {
      if (task(r, t).kind == TaskKind::collective) complete_and_free(r, t);
      else finish_segment(r, current_call_segment(r));
    }
  }

  // The collective that rank class r is in: the head of its tensor stream.
  std::int16_t current_call_segment(Index r) const {
    const Frame& frame = ranks_[r].frame;
    const auto stream = static_cast<std::size_t>(model::Stream::tensor);
    return frame.block->stream_segments[stream][frame.head[stream]];
  }

  // ---- messages ---------------------------------------------------------------------------------------------------------

  void start_send(Index r, Index t) {
    const Index m = problem_.rank_message_out[static_cast<std::size_t>(r) * graph_.message_slots + task(r, t).slot];
    if (m == none) throw std::logic_error("a send without a receiver");
    messages_[m].sending = t;
    delay(Kind::message_latency, m, problem_.flows[problem_.messages[m].flow].latency_s);
  }

  void start_message_flow(Index m) {
    const MessageClass& message = problem_.messages[m];
    messages_[m].flow_start = backend_.now();
    flow(Kind::message_flow, m, message.flow, graph_.transfers[task(message.from, messages_[m].sending).what].bytes, std::numeric_limits<double>::infinity());
  }

  void finish_message(Index m) {
    const MessageClass& message = problem_.messages[m];
    const Index t = messages_[m].sending;
    if (reported(message.from, t))
      timeline_.flows.push_back({message.flow, messages_[m].flow_start, backend_.now(), graph_.transfers[task(message.from, t).what].bytes});
    ++messages_[m].arrivals;
    complete_and_free(message.from, t);
    try_receive(m);
  }

  // Completes the receiver's posted receive when a message has arrived for it.
  void try_receive(Index m) {
    if (m == none) return;  // never completes: reported as a deadlock
    const MessageClass& message = problem_.messages[m];
    MessageState& state = messages_[m];
    if (state.received == state.arrivals) return;
    RankState& receiver = ranks_[message.to];
    const std::vector<std::vector<Index>>& streams = index(message.to).stream_tasks;
    for (std::uint8_t s = 0; s < streams.size(); ++s) {
      if (!receiver.busy[s] || receiver.head[s] == streams[s].size()) continue;
      const Index t = streams[s][receiver.head[s]];
      if (task(message.to, t).kind != TaskKind::receive || task(message.to, t).slot != message.to_slot) continue;
      ++state.received;
      return complete_and_free(message.to, t);
    }
  }

  void hash_timeline() {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    const auto mix = [&hash](double value) { hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3ULL; };
    for (const RankTimeline& rank : timeline_.ranks)
      for (const TaskTime& time : rank.tasks) mix(time.start), mix(time.finish);
    timeline_.fingerprint = hash;
  }

  const Problem& problem_;
  const parallel::StepGraph& graph_;
  Backend& backend_;
  ExecutorOptions options_;
  Timeline timeline_;
  std::vector<CompiledBlock> blocks_;
  std::vector<char> lockstep_;  // by communicator class
  std::vector<RankState> ranks_;
  std::vector<CommunicatorState> communicators_;
  std::vector<MessageState> messages_;
  std::vector<Pending> pending_;
  std::vector<Token> free_, immediate_;
  std::vector<std::pair<Index, std::uint8_t>> ready_;
};

}  // namespace

Deadlock::Deadlock(std::vector<std::string> lines)
    : std::runtime_error(fmt::format("{} rank classes wait for ever", lines.size())), blocked(std::move(lines)) {}

Timeline execute(const Problem& problem, Backend& backend, const ExecutorOptions& options) { return Executor(problem, backend, options).run(); }

}  // namespace gridlock::engine
