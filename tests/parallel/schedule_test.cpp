// Pass orders written out by hand, and the properties that every schedule has.
#include "sim/parallel/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>

namespace gridlock::parallel {
namespace {

using scenario::Schedule;

// "F0 B0" for one chunk, "F0.1" = forward of micro-batch 0, chunk 1.
std::string text(const std::vector<Pass>& passes, int chunks) {
  std::string all;
  for (const Pass& pass : passes) {
    if (!all.empty()) all += " ";
    all += (pass.forward ? "F" : "B") + std::to_string(pass.micro_batch);
    if (chunks > 1) all += "." + std::to_string(pass.chunk);
  }
  return all;
}

std::string order(Schedule kind, int stages, int stage, int micro_batches, int chunks = 1) {
  return text(schedule_passes(kind, stages, stage, micro_batches, chunks), chunks);
}

TEST(Schedule, GPipe) { EXPECT_EQ(order(Schedule::gpipe, 4, 2, 3), "F0 F1 F2 B0 B1 B2"); }

TEST(Schedule, OneForwardOneBackward) {
  EXPECT_EQ(order(Schedule::one_f_one_b, 4, 0, 5), "F0 F1 F2 F3 B0 F4 B1 B2 B3 B4");
  EXPECT_EQ(order(Schedule::one_f_one_b, 4, 1, 5), "F0 F1 F2 B0 F3 B1 F4 B2 B3 B4");
  EXPECT_EQ(order(Schedule::one_f_one_b, 4, 3, 5), "F0 B0 F1 B1 F2 B2 F3 B3 F4 B4");
}

TEST(Schedule, FewerMicroBatchesThanStages) {
  EXPECT_EQ(order(Schedule::one_f_one_b, 8, 0, 2), "F0 F1 B0 B1");
  EXPECT_EQ(order(Schedule::one_f_one_b, 8, 7, 2), "F0 B0 F1 B1");
}

// P = 4, V = 2, M = 8 (Megatron-LM's schedules.py): 2 (P-1-s) + (V-1) P warm-up passes, so 10 on stage 0 and 4 on stage 3.
TEST(Schedule, Interleaved) {
  EXPECT_EQ(order(Schedule::interleaved_1f1b, 4, 0, 8, 2),
            "F0.0 F1.0 F2.0 F3.0 F0.1 F1.1 F2.1 F3.1 F4.0 F5.0 "
            "F6.0 B0.1 F7.0 B1.1 F4.1 B2.1 F5.1 B3.1 F6.1 B0.0 F7.1 B1.0 "
            "B2.0 B3.0 B4.1 B5.1 B6.1 B7.1 B4.0 B5.0 B6.0 B7.0");
  EXPECT_EQ(
      order(Schedule::interleaved_1f1b, 4, 3, 8, 2),
      "F0.0 F1.0 F2.0 F3.0 "
      "F0.1 B0.1 F1.1 B1.1 F2.1 B2.1 F3.1 B3.1 F4.0 B0.0 F5.0 B1.0 F6.0 B2.0 F7.0 B3.0 F4.1 B4.1 F5.1 B5.1 F6.1 B6.1 F7.1 B7.1 "
      "B4.0 B5.0 B6.0 B7.0");
}

// With as many micro-batches as stages everything is warm-up.
TEST(Schedule, InterleavedWithOneGroup) {
  EXPECT_EQ(order(Schedule::interleaved_1f1b, 2, 1, 2, 2), "F0.0 F1.0 F0.1 F1.1 B0.1 B1.1 B0.0 B1.0");
}

TEST(Schedule, EveryPassOnceForwardFirst) {
  for (const Schedule kind : {Schedule::gpipe, Schedule::one_f_one_b, Schedule::interleaved_1f1b})
    for (int stages : {2, 3, 4})
      for (int stage = 0; stage < stages; ++stage) {
        const int chunks = kind == Schedule::interleaved_1f1b ? 3 : 1, micro_batches = 2 * stages;
        std::set<std::pair<int, int>> forward, backward;
        for (const Pass& pass : schedule_passes(kind, stages, stage, micro_batches, chunks)) {
          const std::pair key{pass.micro_batch, pass.chunk};
          if (pass.forward) {
            EXPECT_TRUE(forward.insert(key).second);
          } else {
            EXPECT_TRUE(forward.contains(key)) << "backward before forward";
            EXPECT_TRUE(backward.insert(key).second);
          }
        }
        EXPECT_EQ(forward.size(), static_cast<std::size_t>(micro_batches * chunks));
        EXPECT_EQ(backward, forward);
      }
}

// 1F1B holds at most P - s micro-batches in flight on stage s.
TEST(Schedule, OneForwardOneBackwardHoldsFewActivations) {
  for (int stage = 0; stage < 4; ++stage) {
    int in_flight = 0, most = 0;
    for (const Pass& pass : schedule_passes(Schedule::one_f_one_b, 4, stage, 12, 1)) {
      in_flight += pass.forward ? 1 : -1;
      most = std::max(most, in_flight);
    }
    EXPECT_EQ(most, 4 - stage);
  }
}

}  // namespace
}  // namespace gridlock::parallel
