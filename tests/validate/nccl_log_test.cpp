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

// The last word of a cut line may be half a number: 58 of 5802.8.
TEST(NcclLog, ATimeCutInTheMiddleIsNotUsed) {
  const NcclLog log = parse_nccl_log("1073741824 268435456 float sum -1 5808.8 184.85 358.14 0 58");
  ASSERT_EQ(log.rows.size(), 1u);
  EXPECT_FALSE(log.rows[0].in_place_s.has_value());
  EXPECT_DOUBLE_EQ(log.rows[0].best_s(), 5808.8e-6);
}

// 1 GiB in 58.8 us would be 18,000 GB/s; the row says 184.85.
TEST(NcclLog, TimesThatTheirBandwidthContradictsAreNamed) {
  const NcclLog log = parse_nccl_log(
      "1073741824 268435456 float sum -1 58.8 184.85 358.14 0 5802.8 185.04 358.51 0\n"
      "2147483648 536870912 float sum -1 58.8 184.85 358.14 0 58.8 185.04 358.51 0\n");
  ASSERT_EQ(log.rows.size(), 1u);
  EXPECT_FALSE(log.rows[0].out_of_place_s.has_value());
  EXPECT_EQ(log.problems, (std::vector<std::string>{"line 2: time and algbw contradict each other"}));
}

// Two ranks that write at once: the first row of the line is cut by the second.
TEST(NcclLog, RowsInterleavedInOneLine) {
  const NcclLog log = parse_nccl_log("64 16 float sum -1 15.1 128 32 float sum -1 16.0 0.01 0.01 0 15.5 0.01 0.01 0\n");
  ASSERT_EQ(log.rows.size(), 1u);
  EXPECT_EQ(log.rows[0].bytes, 128u);
  EXPECT_DOUBLE_EQ(log.rows[0].best_s(), 15.5e-6);
  EXPECT_EQ(log.problems, (std::vector<std::string>{"line 1: cut short"}));
}

TEST(NcclLog, ColumnsComeFromTheHeader) {
  // rccl-tests -O 0: in place alone.
  const NcclLog one =
      parse_nccl_log("#  size  count  type  redop  root  time  algbw  busbw #wrong\n 64 16 float none 3 15.5 0.00 0.00 0\n");
  EXPECT_DOUBLE_EQ(one.rows.at(0).best_s(), 15.5e-6);
  // Columns of every call (nccl-tests --report-per-iter) and a time stamp.
  const NcclLog calls = parse_nccl_log(
      "#  size count type redop root time algbw busbw #wrong i_min i_max i_p99 i_cv% time algbw busbw #wrong i_min i_max i_p99 "
      "i_cv% timestamp\n"
      "64 16 float sum -1 15.5 0.00 0.00 0 11 22 21 5 14.5 0.00 0.00 0 10 20 19 4 2026-01-02 03:04:05\n");
  EXPECT_DOUBLE_EQ(*calls.rows.at(0).out_of_place_s, 15.5e-6);
  EXPECT_DOUBLE_EQ(*calls.rows.at(0).in_place_s, 14.5e-6);
  // Columns cut away.
  const NcclLog few = parse_nccl_log("# size count type time\n64 16 float 15.5\n128 32 float 16.5\n");
  EXPECT_EQ(few.rows.size(), 2u);
  EXPECT_DOUBLE_EQ(few.rows[1].best_s(), 16.5e-6);
}

TEST(NcclLog, WrongValuesAreNamed) {
  const NcclLog log = parse_nccl_log(
      "# size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n64 16 float sum -1 15.5 0 0 7 15.1 0 0 7\n");
  EXPECT_EQ(log.rows.size(), 1u);
  EXPECT_EQ(log.problems, (std::vector<std::string>{"line 2: 7 wrong values; the time is used"}));
}

TEST(NcclLog, TheFirstOfSeveralTests) {
  const NcclLog log = parse_nccl_log(
      "# Collective test starting: all_reduce_perf\n64 16 float sum -1 15.5 0 0 0 15.1 0 0 0\n"
      "# Collective test starting: all_gather_perf\n64 16 float none -1 9.5 0 0 0 9.1 0 0 0\n");
  EXPECT_EQ(log.kind, collectives::Kind::all_reduce);
  EXPECT_DOUBLE_EQ(log.rows.at(0).best_s(), 15.1e-6);
  EXPECT_EQ(log.problems.size(), 1u);
}

TEST(NcclLog, WindowsLineEnds) {
  EXPECT_DOUBLE_EQ(parse_nccl_log("64 16 float sum -1 15 0 0 0 14.5 0 0 0\r\n").rows.at(0).best_s(), 14.5e-6);
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

TEST(NcclLog, JsonWithCpuTimeAndNan) {
  const NcclLog log = parse_nccl_log(R"({"results": [
      {"size": 1024, "out_of_place": {"cpu_time": 12.5, "alg_bw": "nan"}, "in_place": {"cpu_time": "nan"}}]})");
  EXPECT_DOUBLE_EQ(log.rows.at(0).best_s(), 12.5e-6);
}

TEST(NcclLog, JsonCutShort) {
  const NcclLog log = parse_nccl_log(R"({"args": ["./build/all_gather_perf"], "config": {"devices": [{"rank": 0}]}, "results": [
      {"size": 1024, "type": "a}\"b", "out_of_place": {"time": 12.5}, "in_place": {"time": 11.5}},
      {"size": 2048, "out_of_place": {"time": 1)");
  ASSERT_EQ(log.rows.size(), 1u);
  EXPECT_EQ(log.kind, collectives::Kind::all_gather);
  EXPECT_EQ(log.problems, (std::vector<std::string>{"not valid JSON: cut short after 1 results?"}));
}

// rccl-tests -Z json: a row for each half. -M 1: three columns of words at the end of a text row.
TEST(NcclLog, OfRccl) {
  const std::string rows = R"([
{"numCycle":0, "name":"AllReduce", "ranks":8, "size":1024, "type":"float", "redop":"sum", "inPlace":0, "time":12.5, "algBw":0.08, "wrong":"0"},
{"numCycle":0, "name":"AllReduce", "ranks":8, "size":1024, "type":"float", "redop":"sum", "inPlace":1, "time":11.5, "algBw":0.09, "wrong":"N/A"},
{"numCycle":0, "name":"AllReduce", "ranks":8, "size":2048, "inPlace":0, "time":0)";
  for (const bool cut : {false, true}) {
    const NcclLog log = parse_nccl_log(cut ? rows : rows + "}\n]\n");
    EXPECT_EQ(log.kind, collectives::Kind::all_reduce);
    ASSERT_EQ(log.rows.size(), 1u);
    EXPECT_DOUBLE_EQ(*log.rows[0].out_of_place_s, 12.5e-6);
    EXPECT_DOUBLE_EQ(*log.rows[0].in_place_s, 11.5e-6);
    EXPECT_EQ(log.problems,
              (std::vector<std::string>{cut ? "not valid JSON: cut short after 2 results?" : "result 2: no time above 0"}));
  }
  const NcclLog text = parse_nccl_log(
      "rccl-tests: Version develop:1a2b3c\n"
      "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong     "
      "algo    "
      "proto   nchannels\n"
      "        1024           256     float     sum      -1    12.50    0.08    0.14      0    11.50    0.09    0.16    N/A     "
      "Ring       "
      "LL           4\n");
  ASSERT_EQ(text.rows.size(), 1u);
  EXPECT_DOUBLE_EQ(*text.rows[0].in_place_s, 11.5e-6);
  EXPECT_TRUE(text.problems.empty());
}

TEST(NcclLog, NothingUsableIsAnError) {
  EXPECT_THROW(parse_nccl_log("[{"), std::invalid_argument);
  EXPECT_THROW(parse_nccl_log("[1,0]<stdout>: hello\n"), std::invalid_argument);
  EXPECT_THROW(parse_nccl_log("hello\n"), std::invalid_argument);
  EXPECT_THROW(parse_nccl_log(""), std::invalid_argument);
  EXPECT_THROW(parse_nccl_log("{\"results\": [{\"size\": 8, "), std::invalid_argument);
  EXPECT_THROW(parse_nccl_log("64 16 float sum -1 0 0 0 0 0 0 0 0\n"), std::invalid_argument);
}

}  // namespace
}  // namespace gridlock::bench
