// What a folded run is expected to cost, before it runs.
#include "sim/report/admission.hpp"

#include <gtest/gtest.h>

namespace gridlock::report {
namespace {

// The ecmp flagship: 10.7 million tasks x 1.4 us = 15 s, x 65 bytes = 0.7 GB. 131,072 GPUs under ecmp: 3.4e8 tasks, 22 GB.
TEST(FoldedCost, OfRanksThatAreNotAlike) {
  const FoldedCost flagship = folded_cost(10.7e6), huge = folded_cost(3.4e8);
  EXPECT_NEAR(flagship.seconds, 15, 0.1);
  EXPECT_NEAR(flagship.bytes, 0.7e9, 1e7);
  EXPECT_FALSE(flagship.excessive());
  EXPECT_TRUE(huge.excessive());
  EXPECT_NE(huge.text().find("22"), std::string::npos) << huge.text();
}

// 20 samples on 2 CPUs are 10 rounds besides the run itself, two of them in memory at once.
TEST(FoldedCost, SamplesRunOnEveryCpu) {
  const FoldedCost one = folded_cost(1e6), many = folded_cost(1e6, 20, 2);
  EXPECT_NEAR(many.seconds, 11 * one.seconds, 1e-9);
  EXPECT_NEAR(many.bytes, 2 * one.bytes, 1e-3);
}

}  // namespace
}  // namespace gridlock::report
