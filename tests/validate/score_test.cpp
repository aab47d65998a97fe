#include "sim/validate/score.hpp"

#include <gtest/gtest.h>

namespace gridlock::validate {
namespace {

constexpr double mib = 1024.0 * 1024;

TEST(Score, BandsEndWhereTheGoalsSay) {
  EXPECT_EQ(band_of(mib - 1), Band::small);
  EXPECT_EQ(band_of(mib), Band::middle);
  EXPECT_EQ(band_of(64 * mib - 1), Band::middle);
  EXPECT_EQ(band_of(64 * mib), Band::large);
}

TEST(Score, QuantileOfEqualWeights) {
  // Median of an even number: the mean of the middle two. 90 % of four weights is 3.6: reached by the fourth.
  EXPECT_DOUBLE_EQ(weighted_quantile({{10, 1}, {1, 1}, {3, 1}, {2, 1}}, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(weighted_quantile({{10, 1}, {1, 1}, {3, 1}, {2, 1}}, 0.9), 10);
  EXPECT_DOUBLE_EQ(weighted_quantile({{7, 2}}, 0.5), 7);
}

TEST(Score, QuantileFollowsTheWeights) {
  // Weights 0.1, 0.1, 0.8: half of the weight is reached by the third value.
  EXPECT_DOUBLE_EQ(weighted_quantile({{1, 0.1}, {2, 0.1}, {3, 0.8}}, 0.5), 3);
}

TEST(Score, ALongTableCountsNoMoreThanAShortOne) {
  // Table a: ten rows of 10 %; table b: one row of 30 %. Weights 10 * 0.1 and 1: the median lies between both groups.
  std::vector<Scored> rows(10, {"a", Band::small, true, Basis::unseen, 0.1});
  rows.push_back({"b", Band::small, true, Basis::unseen, -0.3});
  EXPECT_NEAR(median_error(rows), 0.2, 1e-12);
  const std::vector<Summary> summary = summarize(rows);
  ASSERT_EQ(summary.size(), 1u);
  EXPECT_EQ(summary[0].tables, 2u);
  EXPECT_EQ(summary[0].rows, 11u);
  EXPECT_NEAR(summary[0].median, 0.2, 1e-12);
  EXPECT_NEAR(summary[0].ninetieth, 0.3, 1e-12);
  EXPECT_NEAR(summary[0].bias, -0.1, 1e-12);  // between -0.3 and +0.1
}

TEST(Score, DomainsBandsAndFittedTablesApart) {
  const std::vector<Summary> summary = summarize({{"a", Band::small, true, Basis::unseen, 0.1},
                                                  {"a", Band::large, true, Basis::unseen, 0.1},
                                                  {"b", Band::small, false, Basis::unseen, 0.1},
                                                  {"c", Band::small, true, Basis::fitted, 0.1}});
  EXPECT_EQ(summary.size(), 4u);
}

}  // namespace
}  // namespace gridlock::validate
