// Runs of blocks of a tensor group, worked out by hand.
#include "sim/engine/joint_run.hpp"

#include <gtest/gtest.h>

namespace gridlock::engine {
namespace {

constexpr double ms = 1e-3;

model::BlockOp kernel(double seconds, std::int16_t after = -1) {
  model::BlockOp op;
  op.device_s = seconds;
  op.after = {after, -1};
  return op;
}
model::BlockOp call(std::int16_t after) {
  model::BlockOp op;
  op.is_collective = true;
  op.stream = model::Stream::tensor;
  op.after = {after, -1};
  return op;
}

// A block of kernel a (2 ms), a call after a, kernel b (3 ms) beside the call; the call takes 1 ms.
struct Example {
  parallel::StepGraph graph;
  parallel::Program program;
  std::vector<std::vector<Segment>> segments;

  explicit Example(const model::Block& block) {
    graph.blocks = {block};
    graph.block_calls.emplace_back();
    for (const model::BlockOp& op : block.ops) graph.block_calls[0].push_back(op.is_collective ? 0 : parallel::none);
    segments = {segments_of(block, true)};
    program.tasks = {parallel::Task{.what = 0}, parallel::Task{.what = 0}};
  }
  std::vector<BlockTiming> timings(double speed) const {
    return {time_block(graph.blocks[0], speed, std::vector<double>(graph.blocks[0].ops.size(), ms))};
  }
};

TEST(JointRun, TheLeadOfAnEarlyMemberSurvivesBehindACall) {
  const Example example({"block", {kernel(2 * ms), call(0), kernel(3 * ms)}});
  const std::vector<BlockTiming> timings = example.timings(1);
  std::vector<JointMember> members = {{.rank = 4, .arrival = 0, .timings = &timings, .block_ends = {}, .segments = {}},
                                      {.rank = 7, .arrival = ms, .timings = &timings, .block_ends = {}, .segments = {}}};
  const std::vector<Index> run = {0};
  const std::vector<CallInstance> calls = work_out(example.graph, example.program, run, example.segments, members);
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_DOUBLE_EQ(calls[0].joined, 3 * ms);
  EXPECT_DOUBLE_EQ(calls[0].finish, 4 * ms);
  EXPECT_EQ(calls[0].last_rank, 7u);
  EXPECT_DOUBLE_EQ(members[0].block_ends[0], 5 * ms);
  EXPECT_DOUBLE_EQ(members[1].block_ends[0], 6 * ms);
}

// A kernel after the call starts everywhere when the call ends: the lead is gone.
TEST(JointRun, ACallTakesTheLeadAway) {
  const Example example({"block", {kernel(2 * ms), call(0), kernel(3 * ms, 1)}});
  const std::vector<BlockTiming> timings = example.timings(1);
  std::vector<JointMember> members = {{.rank = 0, .arrival = 0, .timings = &timings, .block_ends = {}, .segments = {}},
                                      {.rank = 1, .arrival = ms, .timings = &timings, .block_ends = {}, .segments = {}}};
  const std::vector<Index> run = {0, 1};
  const std::vector<CallInstance> calls = work_out(example.graph, example.program, run, example.segments, members);
  ASSERT_EQ(calls.size(), 2u);
  for (const JointMember& member : members) {
    EXPECT_DOUBLE_EQ(member.block_ends[0], 7 * ms);
    EXPECT_DOUBLE_EQ(member.block_ends[1], 13 * ms);
  }
}

// At half the speed kernel a takes 4 ms: the fast member waits for the call from 2 to 4 ms, and is the last nowhere.
TEST(JointRun, ASlowMemberHoldsTheOthersBack) {
  const Example example({"block", {kernel(2 * ms), call(0), kernel(3 * ms, 1)}});
  const std::vector<BlockTiming> fast = example.timings(1), slow = example.timings(0.5);
  std::vector<JointMember> members = {{.rank = 0, .arrival = 0, .timings = &slow, .block_ends = {}, .segments = {}},
                                      {.rank = 1, .arrival = 0, .timings = &fast, .block_ends = {}, .segments = {}}};
  const std::vector<Index> run = {0, 1};
  const std::vector<CallInstance> calls = work_out(example.graph, example.program, run, example.segments, members);
  EXPECT_DOUBLE_EQ(calls[0].joined, 4 * ms);
  EXPECT_EQ(calls[0].last_rank, 0u);
  EXPECT_DOUBLE_EQ(members[0].block_ends[0], 11 * ms);
  EXPECT_DOUBLE_EQ(members[1].block_ends[0], 8 * ms);
  // The fast member's second block: a from 8 to 10; the slow one's from 11 to 15, so the call runs from 15 to 16.
  EXPECT_DOUBLE_EQ(calls[1].joined, 15 * ms);
  EXPECT_DOUBLE_EQ(members[1].block_ends[1], 19 * ms);
  EXPECT_DOUBLE_EQ(members[0].block_ends[1], 22 * ms);
}

}  // namespace
}  // namespace gridlock::engine
