#include "sim/analysis/history.hpp"

#include <stdexcept>

namespace gridlock::analysis {

Index History::communicator(Index rank, std::uint8_t slot) const {
  const std::size_t slots = graph().communicator_slots;
  return slots == 0 ? none : problem.rank_communicator[rank * slots + slot];
}

const engine::CallInstance& History::instance(Index rank, Index t) const {
  return timeline.instances[communicator(rank, task(rank, t).slot)][timeline.ranks[rank].calls[t]];
}

const engine::SegmentTime& History::segment_time(Index rank, Index t, std::size_t segment) const {
  const engine::RankTimeline& log = timeline.ranks[rank];
  return log.segment_times[log.segments[t] + segment];
}

const engine::CallInstance& History::call_in_block(Index rank, Index t, std::int16_t op) const {
  const std::vector<engine::Segment>& segments = timeline.segments[task(rank, t).what];
  for (std::size_t s = 0; s < segments.size(); ++s)
    if (segments[s].is_collective && segments[s].first_op == op)
      return timeline.instances[communicator(rank, 0)][segment_time(rank, t, s).instance];
  throw std::logic_error("no call of this number in the block");
}

const engine::BlockTiming& History::block_timing(Index rank, Index t) const {
  return timeline.block_timings[timeline.timing_class[rank]][task(rank, t).what];
}

Index History::cause(Index rank, Index t) const {
  const parallel::Task& one = task(rank, t);
  Index latest = none;
  const auto consider = [&](Index other) {
    if (latest == none || time(rank, other).finish > time(rank, latest).finish ||
        (time(rank, other).finish == time(rank, latest).finish && other < latest))
      latest = other;
  };
  const std::vector<Index>& order = index(rank).stream_tasks[one.stream];
  if (const Index place = index(rank).position[t]; place > 0) consider(order[place - 1]);
  for (Index d = one.first_dependency; d < one.first_dependency + one.dependency_count; ++d)
    consider(program(rank).dependencies[d]);
  return latest;
}

History::Sender History::sender(Index rank, Index receive) const {
  const parallel::Task& one = task(rank, receive);
  const Index message = problem.rank_message_in[rank * std::size_t{graph().message_slots} + one.slot];
  const engine::MessageClass& m = problem.messages[message];
  return {m.from, index(m.from).sends[m.slot][index(rank).ordinal[receive]], message};
}

}  // namespace gridlock::analysis
