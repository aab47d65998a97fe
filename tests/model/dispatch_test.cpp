#include <gtest/gtest.h>

#include <algorithm>

#include "sample_models.hpp"
#include "sim/model/block_builder.hpp"

namespace gridlock::model {
namespace {

// 2 TB/s, no start: a kernel of 20 MB takes 10 us.
BlockInput ten_microseconds_for_20_mb(double dispatch_s) {
  BlockInput in = test::gpt_22b();
  in.profile.memory = {.efficiency = 1, .start_s = 0};
  in.profile.dispatch_s = dispatch_s;
  in.device.hbm_bytes_per_s = 2e12;
  return in;
}

// Dispatch 6 us. Kernels of 10, 1, 1 and 1 us: the host is ready for the next at 6, 12, 18 and 24 us; the device ends at 10, 11
// (next at 12: 1 us idle), 13 (next at 18: 5 us), 19 (next at 24: 5 us).
TEST(Dispatch, HostRunsAheadBehindLongKernels) {
  BlockBuilder block("b", ten_microseconds_for_20_mb(6e-6));
  block.stream("long", 20e6);
  for (int i = 0; i < 3; ++i) block.stream("short", 2e6);
  const Block made = block.finish();
  const double expected[] = {0, 1e-6, 5e-6, 5e-6};
  ASSERT_EQ(made.ops.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(made.ops[i].host_s, expected[i], 1e-15);
}

TEST(Dispatch, NoneUnderCudaGraphs) {
  BlockBuilder block("b", ten_microseconds_for_20_mb(0));
  block.stream("short", 2e3);
  EXPECT_EQ(block.finish().ops.front().host_s, 0);
}

// All-gather of 1 GB over 8 GPUs: 7/8 GB at 12 channels of 19.6 GB/s.
TEST(BlockBuilder, CollectiveTimeByChannels) {
  const BlockBuilder block("b", test::gpt_22b());
  EXPECT_NEAR(block.collective_s(collectives::Kind::all_gather, 1e9), 0.875e9 / (12 * 19.6e9), 1e-15);
}

TEST(BlockBuilder, OneTensorRankHasNoCollectives) {
  BlockInput in = test::gpt_22b();
  in.tensor = 1;
  BlockBuilder block("b", in);
  EXPECT_EQ(block.collective("all_reduce", collectives::Kind::all_reduce, 1e6), no_op);
  block.wait(no_op);
  block.stream("kernel", 1e6);
  const Block made = block.finish();
  ASSERT_EQ(made.ops.size(), 1U);
  EXPECT_EQ(made.ops.front().after[0], -1);
}

}  // namespace
}  // namespace gridlock::model
