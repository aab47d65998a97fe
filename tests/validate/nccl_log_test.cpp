#include "sim/bench/nccl_log.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace gridlock::bench {
namespace {

TEST(NcclLog, ReadsATableOfNcclTests) {
  const NcclLog log = parse_nccl_log(R"(# Collective test starting: all_reduce_perf
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
           8             2     float     sum      -1    34.82    0.00    0.00      0    34.45    0.00    0.00      0
  1073741824     268435456     float     sum      -1   5808.8  184.85  358.14      0   5802.8  185.04  358.51    N/A
# Avg bus bandwidth    : 180
)");
  ASSERT_EQ(log.rows.size(), 2u);
  EXPECT_EQ(log.kind, collectives::Kind::all_reduce);
  EXPECT_EQ(log.rows[1].bytes, 1073741824u);
  EXPECT_DOUBLE_EQ(*log.rows[1].out_of_place_s, 5808.8e-6);
  EXPECT_DOUBLE_EQ(*log.rows[1].in_place_s, 5802.8e-6);
  EXPECT_DOUBLE_EQ(log.rows[0].best_s(), 34.45e-6);
  EXPECT_TRUE(log.problems.empty());
}

TEST(NcclLog, OldTablesHaveNoRootAndAnErrorColumn) {
  const NcclLog log = parse_nccl_log("1048576 262144 float sum 101.9 10.29 18.00 1e-07 100.5 10.43 18.26 0e+00\n");
  EXPECT_DOUBLE_EQ(*log.rows[0].out_of_place_s, 101.9e-6);
  EXPECT_DOUBLE_EQ(*log.rows[0].in_place_s, 100.5e-6);
}

TEST(NcclLog, LinesOfOtherRanksAndTagsOfLaunchers) {
  const NcclLog log = parse_nccl_log(
      "[1,0]<stdout>: 64 16 float sum -1 15.0 0 0 0 14.0 0 0 0\nhost-3: NCCL INFO Channel 00/24\n64 bytes from 10.0.0.1\n");
  ASSERT_EQ(log.rows.size(), 1u);
  EXPECT_DOUBLE_EQ(log.rows[0].best_s(), 14e-6);
}

TEST(NcclLog, OtherLocalesCommaDecimals) {
  EXPECT_DOUBLE_EQ(parse_nccl_log("64 16 float sum -1 15,5 0,00 0,00 0 14,25 0,00 0,00 0\n").rows[0].best_s(), 14.25e-6);
}

TEST(NcclLog, UsableHalvesAreUsedAndTheRestIsNamed) {
  const NcclLog log = parse_nccl_log(
      "64 16 float sum -1 0.00 0 0 0 14.0 0 0 0\n"
      "128 32 float sum -1 nan nan nan 0 nan nan nan 0\n"
      "256 64 float sum -1 16.0 0.1 0.1 0\n"
      "512 128 float sum -1 17");
  ASSERT_EQ(log.rows.size(), 2u);
  EXPECT_FALSE(log.rows[0].out_of_place_s.has_value());
  EXPECT_DOUBLE_EQ(log.rows[1].best_s(), 16e-6);
  EXPECT_EQ(log.problems, (std::vector<std::string>{"line 2: no time above 0", "line 4: cut short"}));
}

TEST(NcclLog, OfASizeThatOccursTwiceTheFasterRow) {
  const NcclLog log = parse_nccl_log("64 16 float sum -1 15 0 0 0 14 0 0 0\n64 16 float sum -1 12 0 0 0 19 0 0 0\n");
  ASSERT_EQ(log.rows.size(), 1u);
  EXPECT_DOUBLE_EQ(log.rows[0].best_s(), 12e-6);
}

TEST(NcclLog, ReadsItsJson) {
  const NcclLog log = parse_nccl_log(R"({"args": ["./build/all_gather_perf", "-b", "8"], "results": [
      {"size": 1024, "count": 256, "out_of_place": {"time": 12.5, "alg_bw": 0.08}, "in_place": {"time": 11.5}},
      {"size": 2048, "out_of_place": null, "in_place": {"time": 0}}]})");
  EXPECT_EQ(log.kind, collectives::Kind::all_gather);
  ASSERT_EQ(log.rows.size(), 1u);
  EXPECT_DOUBLE_EQ(log.rows[0].best_s(), 11.5e-6);
  EXPECT_EQ(log.problems, (std::vector<std::string>{"result 1: no time above 0"}));
}

TEST(NcclLog, NothingUsableIsAnError) {
  EXPECT_THROW(parse_nccl_log("hello\n"), std::invalid_argument);
  EXPECT_THROW(parse_nccl_log(""), std::invalid_argument);
  EXPECT_THROW(parse_nccl_log("{\"results\": [{\"size\": 8, "), std::invalid_argument);
  EXPECT_THROW(parse_nccl_log("64 16 float sum -1 0 0 0 0 0 0 0 0\n"), std::invalid_argument);
}

}  // namespace
}  // namespace gridlock::bench
