// Gradient buckets by hand.
#include "sim/parallel/buckets.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace gridlock::parallel {
namespace {

std::vector<double> sizes(const std::vector<Bucket>& buckets) {
  std::vector<double> all;
  for (const Bucket& bucket : buckets) all.push_back(bucket.parameters);
  return all;
}
std::vector<int> last_parts(const std::vector<Bucket>& buckets) {
  std::vector<int> all;
  for (const Bucket& bucket : buckets) all.push_back(bucket.last_part);
  return all;
}

// Two layers of 100 in buckets of 60: cuts at 60, 120, 180, 200. The first layer fills one, the second completes three.
TEST(Buckets, CutAcrossLayers) {
  const std::vector<double> parts = {100, 100};
  const std::vector<Bucket> buckets = cut_buckets(parts, 60);
  EXPECT_EQ(sizes(buckets), (std::vector<double>{60, 60, 60, 20}));
  EXPECT_EQ(last_parts(buckets), (std::vector<int>{0, 1, 1, 1}));
  // Layer 0 needs 100 parameters: buckets 0 and 1; layer 1 needs them all.
  EXPECT_EQ(buckets_needed(parts, buckets), (std::vector<std::size_t>{1, 3}));
}

TEST(Buckets, AnExactFitLeavesNoRest) {
  const std::vector<double> parts = {100, 100};
  EXPECT_EQ(sizes(cut_buckets(parts, 100)), (std::vector<double>{100, 100}));
  EXPECT_EQ(last_parts(cut_buckets(parts, 100)), (std::vector<int>{0, 1}));
  EXPECT_EQ(buckets_needed(parts, cut_buckets(parts, 100)), (std::vector<std::size_t>{0, 1}));
}

TEST(Buckets, OneBucketForAll) {
  const std::vector<double> parts = {10, 20, 30};
  EXPECT_EQ(sizes(cut_buckets(parts, 1000)), (std::vector<double>{60}));
  EXPECT_EQ(last_parts(cut_buckets(parts, 1000)), (std::vector<int>{2}));
}

TEST(Buckets, NothingToReduce) {
  EXPECT_TRUE(cut_buckets(std::vector<double>{}, 10).empty());
  EXPECT_TRUE(cut_buckets(std::vector<double>{0}, 10).empty());
}

TEST(Buckets, NoParameterIsLostOrSentTwice) {
  for (double bucket : {7.0, 33.0, 64.0, 1e6}) {
    const std::vector<double> parts = {17, 100, 100, 100, 3};
    const std::vector<Bucket> buckets = cut_buckets(parts, bucket);
    double sum = 0;
    int previous = 0;
    for (const Bucket& one : buckets) {
      sum += one.parameters;
      EXPECT_LE(one.parameters, bucket);
      EXPECT_GE(one.last_part, previous);
      previous = one.last_part;
      // A bucket is complete only when the parts up to last_part hold all parameters so far.
      EXPECT_LE(sum, std::accumulate(parts.begin(), parts.begin() + one.last_part + 1, 0.0));
    }
    EXPECT_DOUBLE_EQ(sum, 320);
    EXPECT_EQ(buckets.back().last_part, 4);
  }
}

}  // namespace
}  // namespace gridlock::parallel
