#include "sim/analysis/calls.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace gridlock::analysis {
namespace {

using parallel::TaskKind;

class Collector {
 public:
  Collector(const History& h, const Bottlenecks& b) : h_(h), b_(b) {}

  std::vector<CallStatistics> collect(const Breakdown& breakdown) {
    for (Index c = 0; c < h_.problem.communicators.size(); ++c) {
      instances(c);
      contracted(c);
    }
    for (Index m = 0; m < h_.problem.messages.size(); ++m) messages(m);
    for (const auto& [key, seconds] : breakdown.exposed)
      if (const auto found = by_key_.find(key); found != by_key_.end()) found->second.exposed_s = seconds;
    std::vector<CallStatistics> all;
    for (const auto& [key, one] : by_key_) all.push_back(one);
    std::stable_sort(all.begin(), all.end(), [](const CallStatistics& a, const CallStatistics& b) {
      return std::tie(a.exposed_s, a.time_s) > std::tie(b.exposed_s, b.time_s);
    });
    return all;
  }

 private:
  CallStatistics& entry(bool is_message, Index subject, Index call) {
    CallStatistics& one = by_key_[{is_message, subject, call}];
    one.is_message = is_message;
    one.subject = subject;
    one.call = call;
    return one;
  }

  // Calls that were simulated one by one.
  void instances(Index c) {
    for (const engine::CallInstance& i : h_.timeline.instances[c]) {
      if (i.call == none || !h_.reported(h_.task(i.last_rank, i.last_task))) continue;
      CallStatistics& one = entry(false, c, i.call);
      if (one.calls++ == 0) one.bound = b_.call(c, i.call, i.joined, i.finish);
      one.time_s += i.finish - i.joined;
    }
  }

  // Calls inside blocks that ran as one activity.
  void contracted(Index c) {
    const engine::CommunicatorClass& communicator = h_.problem.communicators[c];
    if (communicator.slot != 0) return;
    const Index rank = communicator.rank_classes.front();
    for (Index t : h_.index(rank).stream_tasks[0]) {
      const parallel::Task& task = h_.task(rank, t);
      if (!h_.reported(task) || task.kind != TaskKind::block || h_.in_pieces(rank, t)) continue;
      const double base = h_.time(rank, t).finish - h_.block_timing(rank, t).total;
      for (std::size_t op = 0; op < h_.graph().block_calls[task.what].size(); ++op) {
        const Index call = h_.graph().block_calls[task.what][op];
        if (call == none) continue;
        const engine::OpTime& time = h_.block_timing(rank, t).ops[op];
        CallStatistics& one = entry(false, c, call);
        if (one.calls++ == 0) one.bound = b_.call(c, call, base + time.start, base + time.finish);
        one.time_s += time.finish - time.start;
      }
    }
  }

  void messages(Index m) {
    const engine::MessageClass& message = h_.problem.messages[m];
    for (Index t : h_.index(message.from).sends[message.slot]) {
      const parallel::Task& task = h_.task(message.from, t);
      if (!h_.reported(task)) continue;
      const engine::TaskTime& time = h_.time(message.from, t);
      CallStatistics& one = entry(true, m, task.what);
      if (one.calls++ == 0) one.bound = b_.message(m, time.start, time.finish);
      one.time_s += time.finish - time.start;
    }
  }

  const History& h_;
  const Bottlenecks& b_;
  std::map<std::tuple<bool, Index, Index>, CallStatistics> by_key_;
};

}  // namespace

std::vector<CallStatistics> call_statistics(const History& history, const Breakdown& breakdown, const Bottlenecks& bottlenecks) {
  return Collector(history, bottlenecks).collect(breakdown);
}

}  // namespace gridlock::analysis
