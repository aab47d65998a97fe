#include "sim/analysis/breakdown.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "sim/analysis/rank_states.hpp"

namespace gridlock::analysis {
namespace {

using parallel::TaskKind;

class Waits {
 public:
  Waits(const History& history, const Bottlenecks& bottlenecks, Index rank) : h_(history), b_(bottlenecks), rank_(rank) {}

  void add(const Interval& interval) {
    const auto [what, bound] = identify(interval);
    Wait& wait = by_key_[{what, interval.state, bound}];
    wait.for_what = what;
    wait.state = interval.state;
    wait.bound = bound;
    wait.seconds += interval.end - interval.start;
  }

  std::vector<Wait> longest_first() const {
    std::vector<Wait> waits;
    for (const auto& [key, wait] : by_key_) waits.push_back(wait);
    std::stable_sort(waits.begin(), waits.end(), [](const Wait& a, const Wait& b) { return a.seconds > b.seconds; });
    return waits;
  }

 private:
  std::pair<std::string, Bound> identify(const Interval& i) {
    if (i.state == State::bubble && i.task == none) return {std::string(end_of_step), {BoundKind::peer, none}};
    if (i.task == none) return {"other", {BoundKind::peer, none}};
    const parallel::Task& task = h_.task(rank_, i.task);
    if (task.kind == TaskKind::receive) {
      const std::string& label = h_.graph().transfers[task.what].label;
      if (i.state == State::bubble) return {label, {BoundKind::peer, i.peer_rank}};
      const Index message = h_.sender(rank_, i.task).message;
      return {label, message_bound(message, h_.time(i.peer_rank, i.peer_task))};
    }
    if (task.kind == TaskKind::send) {
      const Index message = h_.problem.rank_message_out[rank_ * std::size_t{h_.graph().message_slots} + task.slot];
      return {h_.graph().transfers[task.what].label, message_bound(message, h_.time(rank_, i.task))};
    }
    if (task.kind == TaskKind::collective) {
      const engine::CallInstance& instance = h_.instance(rank_, i.task);
      const std::string& label = h_.graph().calls[task.what].label;
      if (i.state == State::straggler) return {label, {BoundKind::peer, instance.last_rank}};
      return {label, b_.call(h_.communicator(rank_, task.slot), task.what, instance.joined, instance.finish)};
    }
    return inside_block(i, task);
  }

  Bound message_bound(Index message, const engine::TaskTime& time) const { return b_.message(message, time.start, time.finish); }

  std::pair<std::string, Bound> inside_block(const Interval& i, const parallel::Task& task) {
    if (i.op < 0) return {h_.graph().blocks[task.what].name, {BoundKind::peer, none}};
    const Index call = h_.graph().block_calls[task.what][static_cast<std::size_t>(i.op)];
    if (call == none) return {h_.graph().blocks[task.what].name, {BoundKind::compute, none}};
    const std::string& label = h_.graph().calls[call].label;
    const Index communicator = h_.communicator(rank_, 0);
    if (i.state == State::straggler) return {label, {BoundKind::peer, h_.call_in_block(rank_, i.task, i.op).last_rank}};
    // Calls of a block are alike wherever it runs: one look-up a call.
    const auto [found, fresh] = call_bounds_.try_emplace(call);
    if (fresh) {
      const double seconds = h_.problem.communicators[communicator].exclusive
                                 ? engine::exclusive_call_seconds(h_.problem, h_.problem.communicators[communicator], call)
                                 : i.end - i.start;
      found->second = b_.call(communicator, call, i.end - seconds, i.end);
    }
    return {label, found->second};
  }

  const History& h_;
  const Bottlenecks& b_;
  Index rank_;
  std::map<std::tuple<std::string, State, Bound>, Wait> by_key_;
  std::map<Index, Bound> call_bounds_;
};

bool is_wait(State s) { return s != State::compute && s != State::memory_bound && s != State::host; }

// The operation that an exposed interval waits for, as a key of Breakdown::exposed; false when it is none.
bool operation_of(const History& h, Index rank, const Interval& i, std::tuple<bool, Index, Index>& key) {
  if (i.task == none) return false;
  const parallel::Task& task = h.task(rank, i.task);
  switch (task.kind) {
    case TaskKind::receive:
      key = {true, h.sender(rank, i.task).message, task.what};
      return true;
    case TaskKind::send:
      key = {true, h.problem.rank_message_out[rank * std::size_t{h.graph().message_slots} + task.slot], task.what};
      return true;
    case TaskKind::collective:
      key = {false, h.communicator(rank, task.slot), task.what};
      return true;
    case TaskKind::block:
      break;
  }
  if (i.op < 0) return false;
  const Index call = h.graph().block_calls[task.what][static_cast<std::size_t>(i.op)];
  key = {false, h.communicator(rank, 0), call};
  return call != none;
}

}  // namespace

Breakdown break_down(const History& history, const Bottlenecks& bottlenecks) {
  Breakdown result;
  double ranks = 0;
  for (Index r = 0; r < history.problem.ranks.size(); ++r) {
    RankBreakdown one;
    Waits waits(history, bottlenecks, r);
    const double members = history.problem.ranks[r].members;
    visit_states(history, r, [&](const Interval& interval) {
      const double seconds = interval.end - interval.start;
      at(one.seconds, interval.state) += seconds;
      if (is_wait(interval.state)) waits.add(interval);
      std::tuple<bool, Index, Index> key;
      if (is_exposed(interval.state) && operation_of(history, r, interval, key)) result.exposed[key] += members * seconds;
    });
    one.waits = waits.longest_first();
    ranks += members;
    for (std::size_t s = 0; s < state_count; ++s) result.mean[s] += members * one.seconds[s];
    result.ranks.push_back(std::move(one));
  }
  for (double& seconds : result.mean) seconds /= ranks;
  for (auto& [key, seconds] : result.exposed) {
    const auto [is_message, subject, call] = key;
    const double members =
        is_message ? 2.0 * history.problem.flows[history.problem.messages[subject].flow].members
                   : double(history.problem.communicators[subject].members) * history.problem.communicators[subject].ranks;
    seconds /= members;
  }
  return result;
}

}  // namespace gridlock::analysis
