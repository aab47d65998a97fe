#include "sim/uncertainty/sample.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gridlock::uncertainty {
namespace {

model::Profile profile() {
  model::Profile p;
  p.gemm.ceiling = 0.8;
  p.gemm.launch_s = 4e-6;
  p.memory.efficiency = 0.9;
  return p;
}

struct Moments {
  double mean = 0, deviation = 0;
};

Moments moments(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return {sum / static_cast<double>(values.size()), standard_deviation(values)};
}

// 4,000 draws: the mean is known to sigma / 63, the deviation to 1.1 %.
TEST(ProfileSampler, DrawsTheErrorsThatTheProfileSays) {
  model::Profile p = profile();
  p.uncertainty.standard_errors = {{"gemm.ceiling", 0.01}, {"gemm.launch", 0.5e-6}};
  p.uncertainty.correlations = {{"gemm.ceiling", "gemm.launch", -0.6}};
  const ProfileSampler sampler(p);
  ASSERT_TRUE(sampler.has_errors());
  std::vector<double> ceiling, launch;
  double product = 0;
  constexpr int draws = 4000;
  for (int i = 0; i < draws; ++i) {
    const model::Profile drawn = sampler.draw(1, i);
    ceiling.push_back(drawn.gemm.ceiling);
    launch.push_back(drawn.gemm.launch_s);
    product += (drawn.gemm.ceiling - 0.8) / 0.01 * (drawn.gemm.launch_s - 4e-6) / 0.5e-6 / draws;
    EXPECT_EQ(drawn.memory.efficiency, 0.9);
  }
  EXPECT_NEAR(moments(ceiling).mean, 0.8, 5 * 0.01 / 63);
  EXPECT_NEAR(moments(ceiling).deviation, 0.01, 0.01 * 0.06);
  EXPECT_NEAR(moments(launch).deviation, 0.5e-6, 0.5e-6 * 0.06);
  EXPECT_NEAR(product, -0.6, 0.06);
}

TEST(ProfileSampler, TheSameSampleIsTheSameAndOthersDiffer) {
  model::Profile p = profile();
  p.uncertainty.standard_errors = {{"gemm.ceiling", 0.01}};
  const ProfileSampler sampler(p);
  EXPECT_EQ(sampler.draw(1, 7).gemm.ceiling, sampler.draw(1, 7).gemm.ceiling);
  EXPECT_NE(sampler.draw(1, 7).gemm.ceiling, sampler.draw(1, 8).gemm.ceiling);
  EXPECT_NE(sampler.draw(1, 7).gemm.ceiling, sampler.draw(2, 7).gemm.ceiling);
}

// An error as large as the value: z = -4.6 would give a hundredth of it, which 1,000 draws have with a chance of 0.2 %. Normal
// draws came near 0 in one of six, and a step time that goes with 1 / x had an error of hundreds of times itself.
TEST(ProfileSampler, ALargeErrorDoesNotDrawNearZero) {
  model::Profile p = profile();
  p.uncertainty.standard_errors = {{"gemm.ceiling", 0.8}};
  const ProfileSampler sampler(p);
  for (int i = 0; i < 1000; ++i) EXPECT_GT(sampler.draw(1, i).gemm.ceiling, 0.8 / 100);
}

// A share is at most 1, a launch not negative.
TEST(ProfileSampler, StaysInsideTheRangesOfTheFile) {
  model::Profile p = profile();
  p.uncertainty.standard_errors = {{"gemm.ceiling", 10}, {"gemm.launch", 1e-3}};
  const ProfileSampler sampler(p);
  for (int i = 0; i < 100; ++i) {
    const model::Profile drawn = sampler.draw(1, i);
    EXPECT_GT(drawn.gemm.ceiling, 0);
    EXPECT_LE(drawn.gemm.ceiling, 1);
    EXPECT_GE(drawn.gemm.launch_s, 0);
  }
}

// Three errors cannot all be opposite to each other: the nearest correlations that can be are drawn, with the same errors.
TEST(ProfileSampler, ImpossibleCorrelationsAreMovedToPossibleOnes) {
  model::Profile p = profile();
  p.uncertainty.standard_errors = {{"gemm.ceiling", 0.001}, {"gemm.launch", 1e-7}, {"memory.efficiency", 0.001}};
  p.uncertainty.correlations = {
      {"gemm.ceiling", "gemm.launch", -1}, {"gemm.launch", "memory.efficiency", -1}, {"gemm.ceiling", "memory.efficiency", -1}};
  const ProfileSampler sampler(p);
  std::vector<double> ceiling;
  for (int i = 0; i < 4000; ++i) ceiling.push_back(sampler.draw(1, i).gemm.ceiling);
  EXPECT_NEAR(moments(ceiling).deviation, 0.001, 0.0001);
}

TEST(ProfileSampler, WithoutErrorsThereIsNothingToDraw) { EXPECT_FALSE(ProfileSampler(profile()).has_errors()); }

// 1, 2, 3: sqrt((1 + 0 + 1) / 2).
TEST(StandardDeviation, OfThreeNumbers) {
  EXPECT_DOUBLE_EQ(standard_deviation({1, 2, 3}), 1);
  EXPECT_EQ(standard_deviation({5}), 0);
}

}  // namespace
}  // namespace gridlock::uncertainty
