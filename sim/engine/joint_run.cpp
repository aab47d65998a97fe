#include "sim/engine/joint_run.hpp"

#include <algorithm>
#include <array>

namespace gridlock::engine {
namespace {

// One block of the run on all members.
class BlockRun {
 public:
  BlockRun(const std::vector<Segment>& segments, std::span<JointMember> members) : segments_(segments), members_(members) {
    for (JointMember& member : members_) {
      const double start = member.block_ends.empty() ? member.arrival : member.block_ends.back();
      stream_ends_.push_back({start, start});
      member.segments.resize(member.segments.size() + segments.size());
    }
  }

  // `calls` by op; appends one instance a collective segment.
  void run(Index task, Index block, const std::vector<Index>& calls, std::vector<CallInstance>& instances) {
    for (std::size_t s = 0; s < segments_.size(); ++s) {
      for (std::size_t m = 0; m < members_.size(); ++m) time(m, s).start = start_of(m, s);
      if (segments_[s].is_collective) {
        instances.push_back(instance_of(task, block, s, calls[static_cast<std::size_t>(segments_[s].first_op)]));
        for (std::size_t m = 0; m < members_.size(); ++m) {
          time(m, s).instance = static_cast<Index>(instances.size() - 1);
          finish(m, s, instances.back().finish);
        }
      } else {
        for (std::size_t m = 0; m < members_.size(); ++m) finish(m, s, time(m, s).start + duration(m, block, s));
      }
    }
    for (std::size_t m = 0; m < members_.size(); ++m)
      members_[m].block_ends.push_back(std::max(stream_ends_[m][0], stream_ends_[m][1]));
  }

 private:
  SegmentTime& time(std::size_t m, std::size_t s) {
    return *(members_[m].segments.end() - static_cast<std::ptrdiff_t>(segments_.size() - s));
  }

  double start_of(std::size_t m, std::size_t s) {
    double start = stream_ends_[m][static_cast<std::size_t>(segments_[s].stream)];
    for (std::int16_t earlier : segments_[s].after) start = std::max(start, time(m, static_cast<std::size_t>(earlier)).finish);
    return start;
  }

  void finish(std::size_t m, std::size_t s, double at) {
    time(m, s).finish = at;
    stream_ends_[m][static_cast<std::size_t>(segments_[s].stream)] = at;
  }

  double duration(std::size_t m, Index block, std::size_t s) const {
    const std::vector<OpTime>& ops = (*members_[m].timings)[block].ops;
    return ops[static_cast<std::size_t>(segments_[s].last_op)].finish -
           ops[static_cast<std::size_t>(segments_[s].first_op)].start;
  }

  // The last arrival decides; ties go to the lowest rank class.
  CallInstance instance_of(Index task, Index block, std::size_t s, Index call) {
    CallInstance instance{.call = call, .last_task = task, .last_segment = static_cast<std::int16_t>(s)};
    for (std::size_t m = 0; m < members_.size(); ++m) {
      const double start = time(m, s).start;
      if (instance.last_rank != none &&
          (start < instance.joined || (start == instance.joined && members_[m].rank > instance.last_rank)))
        continue;
      instance.joined = start;
      instance.last_rank = members_[m].rank;
    }
    instance.finish = instance.joined + duration(0, block, s);
    return instance;
  }

  const std::vector<Segment>& segments_;
  std::span<JointMember> members_;
  std::vector<std::array<double, 2>> stream_ends_;  // by member and stream
};

}  // namespace

std::vector<CallInstance> work_out(const parallel::StepGraph& graph, const parallel::Program& program, std::span<const Index> run,
                                   std::span<const std::vector<Segment>> segments, std::span<JointMember> members) {
  std::vector<CallInstance> instances;
  for (Index task : run) {
    const Index block = program.tasks[task].what;
    BlockRun(segments[block], members).run(task, block, graph.block_calls[block], instances);
  }
  return instances;
}

}  // namespace gridlock::engine
