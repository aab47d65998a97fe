// Collectives, which start when the last member arrives and end for all at once; and messages, first-in first-out.
#include <limits>
#include <stdexcept>

#include "sim/engine/executor_state.hpp"

namespace gridlock::engine {

using parallel::TaskKind;

// Rank class r reaches its next call on the communicator of `slot`; `call` none: a joint run of blocks.
void Executor::arrive(Index r, Index t, std::int16_t segment, std::uint8_t slot, Index call) {
  const Index c = communicator_of(r, slot);
  if (c == none) throw std::logic_error("a call on a communicator that the rank does not have");
  CommunicatorState& state = communicators_[c];
  const Index k = ranks_[r].calls_made[slot]++;
  std::vector<CallInstance>& instances = timeline_.instances[c];
  if (k >= instances.size()) instances.push_back({.call = call});
  CallInstance& instance = instances[k];
  if (k + 1 != instances.size() || instance.call != call)
    throw std::logic_error("members of a communicator disagree on its calls");
  const double now = backend_.now();
  if (segment >= 0)
    segment_time(r, segment).instance = k;
  else if (call != none)
    timeline_.ranks[r].calls[t] = k;
  if (instance.last_rank == none || now > instance.joined || r < instance.last_rank) {
    instance.last_rank = r;
    instance.last_task = t;
    instance.last_segment = segment;
  }
  instance.joined = now;
  state.log_flows = reported(r, t);
  state.at.push_back({r, t});
  if (++state.arrived < problem_.communicators[c].rank_classes.size()) return;
  call == none ? start_joint(c) : start_call(c, call);
}

void Executor::start_call(Index c, Index call) {
  const CommunicatorClass& communicator = problem_.communicators[c];
  const parallel::CallPlan& plan = problem_.traffic->plan(communicator.shape, call);
  if (plan.wire_bytes == 0) return delay(Kind::call_fixed, c, plan.choice.latency_s);
  if (!options_.contract || !communicator.exclusive) return delay(Kind::call_latency, c, plan.choice.latency_s);
  communicators_[c].flow_start = backend_.now() + plan.choice.latency_s;
  delay(Kind::call_fixed, c, exclusive_call_seconds(problem_, communicator, call));
}

void Executor::start_call_flows(Index c) {
  const CommunicatorClass& communicator = problem_.communicators[c];
  const Index call = timeline_.instances[c].back().call;
  const parallel::CallPlan& plan = problem_.traffic->plan(communicator.shape, call);
  const FlowRange& range = flows_of_call(problem_, communicator, call);
  communicators_[c].flows_left = static_cast<std::uint32_t>(range.flows.size());
  communicators_[c].flow_start = backend_.now();
  for (Index f : range.flows)
    flow(Kind::call_flow, c, f, problem_.flows[f].share * plan.wire_bytes, flow_rate_cap(plan, problem_.flows[f]));
}

void Executor::log_flow(Index c, Index f, double bytes, double start, double finish) {
  if (communicators_[c].log_flows) timeline_.flows.push_back({f, start, finish, bytes});
}

void Executor::finish_call_flow(Index c, Index f) {
  const parallel::CallPlan& plan = problem_.traffic->plan(problem_.communicators[c].shape, timeline_.instances[c].back().call);
  log_flow(c, f, problem_.flows[f].share * plan.wire_bytes, communicators_[c].flow_start, backend_.now());
  if (--communicators_[c].flows_left == 0) release_members(c);
}

void Executor::finish_fixed_call(Index c) {
  const CommunicatorClass& communicator = problem_.communicators[c];
  const Index call = timeline_.instances[c].back().call;
  const parallel::CallPlan& plan = problem_.traffic->plan(communicator.shape, call);
  for (Index f : flows_of_call(problem_, communicator, call).flows)
    log_flow(c, f, problem_.flows[f].share * plan.wire_bytes, communicators_[c].flow_start, backend_.now());
  release_members(c);
}

void Executor::release_members(Index c) {
  CommunicatorState& state = communicators_[c];
  timeline_.instances[c].back().finish = backend_.now();
  const auto members = std::move(state.at);
  state.at.clear();
  state.arrived = 0;
  for (const auto& [r, t] : members) {
    if (task(r, t).kind == TaskKind::collective)
      complete_and_free(r, t);
    else
      finish_segment(r, current_call_segment(r));
  }
}

// ---- messages -----------------------------------------------------------------------------------------------------------

void Executor::start_send(Index r, Index t) {
  const Index m = problem_.rank_message_out[static_cast<std::size_t>(r) * graph_.message_slots + task(r, t).slot];
  if (m == none) throw std::logic_error("a send without a receiver");
  messages_[m].sending = t;
  delay(Kind::message_latency, m, problem_.flows[problem_.messages[m].flow].latency_s);
}

void Executor::start_message_flow(Index m) {
  const MessageClass& message = problem_.messages[m];
  messages_[m].flow_start = backend_.now();
  flow(Kind::message_flow, m, message.flow, graph_.transfers[task(message.from, messages_[m].sending).what].bytes,
       std::numeric_limits<double>::infinity());
}

void Executor::finish_message(Index m) {
  const MessageClass& message = problem_.messages[m];
  const Index t = messages_[m].sending;
  if (reported(message.from, t))
    timeline_.flows.push_back(
        {message.flow, messages_[m].flow_start, backend_.now(), graph_.transfers[task(message.from, t).what].bytes});
  ++messages_[m].arrivals;
  complete_and_free(message.from, t);
  try_receive(m);
}

// Completes the receiver's posted receive when a message has arrived for it.
void Executor::try_receive(Index m) {
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

}  // namespace gridlock::engine
