// Ranges and lists as people write them.

#include "sim/sweep/values.hpp"

#include <gtest/gtest.h>

namespace gridlock::sweep {
namespace {

using Values = std::vector<std::string>;

std::string error_of(const std::string& text, bool whole = false) {
  try {
    parse_values(text, whole);
  } catch (const SpecificationError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Values, LinearRangeHasBothEnds) {
  EXPECT_EQ(parse_values("100..400Gbps:4", false), (Values{"100Gbps", "200Gbps", "300Gbps", "400Gbps"}));
  EXPECT_EQ(parse_values("0.5..1:3", false), (Values{"0.5", "0.75", "1"}));
  EXPECT_EQ(parse_values("7..7:1", false), (Values{"7"}));
}

// 50 * (1600 / 50)^(i / 5) = 50 * 2^i.
TEST(Values, LogarithmicRangeHasEqualRatios) {
  EXPECT_EQ(parse_values("log:50..1600Gbps:6", false),
            (Values{"50Gbps", "100Gbps", "200Gbps", "400Gbps", "800Gbps", "1600Gbps"}));
}

TEST(Values, EndsMayHaveUnitsOfTheSameMeasure) {
  EXPECT_EQ(parse_values("800Gbps..1.6Tbps:2", false), (Values{"800Gbps", "1600Gbps"}));
  EXPECT_NE(error_of("1GB..2s:2").find("do not measure the same"), std::string::npos);
}

TEST(Values, WholeNumbersAreRoundedAndMayBeAllOfARange) {
  EXPECT_EQ(parse_values("1..4", true), (Values{"1", "2", "3", "4"}));
  EXPECT_EQ(parse_values("1..4:9", true), (Values{"1", "2", "3", "4"}));  // 1, 1.4, 1.8, ... rounded, each once
  EXPECT_EQ(parse_values("log:1..1024:11", true).size(), 11u);
}

TEST(Values, ListsKeepBracketsTogether) {
  EXPECT_EQ(parse_values("adaptive, ecmp", false), (Values{"adaptive", "ecmp"}));
  EXPECT_EQ(parse_values("[adaptive, ecmp]", false), (Values{"adaptive", "ecmp"}));
  EXPECT_EQ(parse_values("[0-3, 4],scattered", false), (Values{"[0-3, 4]", "scattered"}));
  EXPECT_EQ(parse_values("../a.yaml", false), (Values{"../a.yaml"}));
}

TEST(Values, MistakesSayWhatToWrite) {
  EXPECT_NE(error_of("400..50Gbps:4").find("reversed: write the smaller end first, 50..400Gbps"), std::string::npos);
  EXPECT_NE(error_of("400..400Gbps:4").find("empty"), std::string::npos);
  EXPECT_NE(error_of("50..400Gbps:0").find("no points"), std::string::npos);
  EXPECT_NE(error_of("50..400Gbps:1").find("N at least 2"), std::string::npos);
  EXPECT_NE(error_of("50..400Gbps").find("how many points"), std::string::npos);
  EXPECT_NE(error_of("50..400Gbps:x").find("no number of points"), std::string::npos);
  EXPECT_NE(error_of("50..400Gbps:99999999999").find("more than"), std::string::npos);
  EXPECT_NE(error_of("1..99999999999", true).find("more than"), std::string::npos);
  EXPECT_NE(error_of("log:0..4:3").find("above 0"), std::string::npos);
  EXPECT_NE(error_of("log:a,b").find("no range"), std::string::npos);
  EXPECT_NE(error_of("1..4parsec:4").find("not a number"), std::string::npos);
  EXPECT_NE(error_of("").find("no values"), std::string::npos);
  EXPECT_NE(error_of("a,,b").find("empty value"), std::string::npos);
}

}  // namespace
}  // namespace gridlock::sweep
