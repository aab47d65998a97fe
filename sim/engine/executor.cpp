#include "sim/engine/executor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "sim/engine/deadlock.hpp"
#include "sim/engine/executor_state.hpp"

namespace gridlock::engine {

using parallel::Task;
using parallel::TaskKind;

Executor::Executor(const Problem& problem, Backend& backend, const ExecutorOptions& options)
    : problem_(problem), graph_(*problem.graph), backend_(backend), options_(options) {
  for (const parallel::Program& p : graph_.programs) timeline_.programs.emplace_back(p);
  timeline_.step_end.assign(static_cast<std::size_t>(graph_.steps), 0);
  communicators_.resize(problem_.communicators.size());
  messages_.resize(problem_.messages.size());
  timeline_.instances.resize(problem_.communicators.size());
  for (const CommunicatorClass& c : problem_.communicators)
    lockstep_.push_back(options_.contract && runs_in_lockstep(problem_, c));
  compile_blocks();
  compile_ranks();
}

Timeline Executor::run() {
  for (Index r = 0; r < problem_.ranks.size(); ++r)
    for (std::uint8_t s = 0; s < program(r).streams; ++s) ready_.push_back({r, s});
  drain();
  backend_.run([this](Token token) {
    finish_activity(token);
    drain();
  });
  if (std::vector<std::string> blocked = blocked_ranks(); !blocked.empty()) throw Deadlock(std::move(blocked));
  hash_timeline();
  return std::move(timeline_);
}

void Executor::compile_blocks() {
  for (const model::Block& block : graph_.blocks) {
    timeline_.segments.push_back(segments_of(block, options_.contract));
    const std::vector<Segment>& segments = timeline_.segments.back();
    CompiledBlock compiled;
    compiled.successors.resize(segments.size());
    for (std::size_t s = 0; s < segments.size(); ++s) {
      compiled.stream_segments[static_cast<std::size_t>(segments[s].stream)].push_back(static_cast<std::int16_t>(s));
      for (std::int16_t earlier : segments[s].after)
        compiled.successors[static_cast<std::size_t>(earlier)].push_back(static_cast<std::int16_t>(s));
      compiled.has_calls = compiled.has_calls || segments[s].is_collective;
    }
    blocks_.push_back(std::move(compiled));
  }
}

void Executor::compile_ranks() {
  std::map<std::pair<Index, double>, Index> timing_classes;  // (exclusive tensor communicator class, speed)
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
    timeline_.ranks[r].calls.assign(p.tasks.size(), none);
    timeline_.ranks[r].segments.assign(p.tasks.size(), none);

    const Index communicator = communicator_of(r, 0);
    const Index key = communicator != none && problem_.communicators[communicator].exclusive ? communicator : none;
    const auto [found, fresh] =
        timing_classes.try_emplace({key, problem_.ranks[r].speed}, static_cast<Index>(timeline_.block_timings.size()));
    if (fresh) timeline_.block_timings.push_back(time_blocks(problem_, key, problem_.ranks[r].speed));
    timeline_.timing_class.push_back(found->second);
  }
}

// ---- activities ---------------------------------------------------------------------------------------------------------

Token Executor::token(Kind kind, Index subject, Index detail) {
  if (free_.empty()) {
    pending_.push_back({kind, subject, detail});
    return static_cast<Token>(pending_.size() - 1);
  }
  const Token t = free_.back();
  free_.pop_back();
  pending_[t] = {kind, subject, detail};
  return t;
}

void Executor::compute(Kind kind, Index r, Index detail, double seconds) {
  ++timeline_.activities;
  if (seconds > 0) return backend_.start_compute(token(kind, r, detail), r, seconds);
  immediate_.push_back(token(kind, r, detail));
}

void Executor::delay(Kind kind, Index subject, double seconds) {
  ++timeline_.activities;
  if (seconds > 0) return backend_.start_delay(token(kind, subject, 0), seconds);
  immediate_.push_back(token(kind, subject, 0));
}

void Executor::flow(Kind kind, Index subject, Index flow_class, double bytes, double cap) {
  ++timeline_.activities;
  if (bytes > 0 && problem_.flows[flow_class].link_count > 0)
    return backend_.start_flow(token(kind, subject, flow_class), flow_class, bytes, cap);
  immediate_.push_back(token(kind, subject, flow_class));
}

void Executor::finish_activity(Token t) {
  const Pending p = pending_[t];
  free_.push_back(t);
  switch (p.kind) {
    case Kind::run:
      return finish_run(p.subject, p.detail);
    case Kind::segment:
      return finish_segment(p.subject, static_cast<std::int16_t>(p.detail));
    case Kind::joint:
      return finish_joint(p.subject);
    case Kind::joint_member:
      return finish_joint_member(p.subject);
    case Kind::call_latency:
      return start_call_flows(p.subject);
    case Kind::call_flow:
      return finish_call_flow(p.subject, p.detail);
    case Kind::call_fixed:
      return finish_fixed_call(p.subject);
    case Kind::message_latency:
      return start_message_flow(p.subject);
    case Kind::message_flow:
      return finish_message(p.subject);
  }
}

void Executor::drain() {
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

// ---- tasks --------------------------------------------------------------------------------------------------------------

void Executor::advance(Index r, std::uint8_t s) {
  RankState& state = ranks_[r];
  const std::vector<Index>& tasks = index(r).stream_tasks[s];
  if (state.busy[s] || state.head[s] == tasks.size() || state.waiting[tasks[state.head[s]]] > 0) return;
  const Index t = tasks[state.head[s]];
  state.busy[s] = true;
  timeline_.ranks[r].tasks[t].start = backend_.now();
  switch (task(r, t).kind) {
    case TaskKind::block:
      return start_block(r, t);
    case TaskKind::collective:
      return arrive(r, t, -1, task(r, t).slot, task(r, t).what);
    case TaskKind::send:
      return start_send(r, t);
    case TaskKind::receive:
      return try_receive(problem_.rank_message_in[static_cast<std::size_t>(r) * graph_.message_slots + task(r, t).slot]);
  }
}

void Executor::complete(Index r, Index t, double finish) {
  RankState& state = ranks_[r];
  const Task& done = task(r, t);
  timeline_.ranks[r].tasks[t].finish = finish;
  timeline_.step_end[done.step] = std::max(timeline_.step_end[done.step], finish);
  --state.left;
  ++state.head[done.stream];
  for (Index next : index(r).successors_of(t))
    if (--state.waiting[next] == 0 && task(r, next).stream != done.stream) ready_.push_back({r, task(r, next).stream});
}

void Executor::complete_and_free(Index r, Index t) {
  const std::uint8_t s = task(r, t).stream;
  complete(r, t, backend_.now());
  ranks_[r].busy[s] = false;
  ready_.push_back({r, s});
}

// ---- the end ------------------------------------------------------------------------------------------------------------

std::vector<std::string> Executor::blocked_ranks() const {
  std::vector<std::string> blocked;
  for (Index r = 0; r < ranks_.size(); ++r)
    if (ranks_[r].left > 0) blocked.push_back(describe_blocked(problem_, index(r), r, ranks_[r].head, ranks_[r].waiting));
  return blocked;
}

void Executor::hash_timeline() {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  const auto mix = [&hash](double value) { hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3ULL; };
  for (const RankTimeline& rank : timeline_.ranks)
    for (const TaskTime& time : rank.tasks) mix(time.start), mix(time.finish);
  timeline_.fingerprint = hash;
}

Deadlock::Deadlock(std::vector<std::string> lines)
    : std::runtime_error(fmt::format("{} rank classes wait for ever", lines.size())), blocked(std::move(lines)) {}

Timeline execute(const Problem& problem, Backend& backend, const ExecutorOptions& options) {
  return Executor(problem, backend, options).run();
}

}  // namespace gridlock::engine
