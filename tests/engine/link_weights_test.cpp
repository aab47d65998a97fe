// Weights as small integers: common denominators, common divisors, and what is said when they must be rounded.
#include "sim/engine/link_weights.hpp"

#include <gtest/gtest.h>

#include "hand_made.hpp"

namespace gridlock::engine::test {
namespace {

// One link of 50 GB/s crossed by one flow of each weight.
IntegerWeights weights_of(const std::vector<double>& weights, std::uint32_t most = 8192) {
  Network net;
  const Index link = net.link(50e9);
  for (double weight : weights) net.flow({{link, weight}});
  return integer_weights(net.problem, most);
}

// 1.5 r1 + r2 <= 50 is 3 r1 + 2 r2 <= 100.
TEST(LinkWeights, CommonDenominator) {
  const IntegerWeights w = weights_of({1.5, 1});
  EXPECT_EQ(w.multiplicity, (std::vector<std::uint32_t>{3, 2}));
  EXPECT_DOUBLE_EQ(w.bytes_per_s[0], 100e9);
  EXPECT_EQ(w.worst_rounding, 0);
}

// 6 r1 + 9 r2 <= 50 is 2 r1 + 3 r2 <= 50 / 3.
TEST(LinkWeights, CommonDivisor) {
  const IntegerWeights w = weights_of({6, 9});
  EXPECT_EQ(w.multiplicity, (std::vector<std::uint32_t>{2, 3}));
  EXPECT_DOUBLE_EQ(w.bytes_per_s[0], 50e9 / 3);
}

// A single weight needs no integer at all: it goes into the capacity.
TEST(LinkWeights, OneWeightAloneBecomesOne) {
  const IntegerWeights w = weights_of({0.3712, 0.3712});
  EXPECT_EQ(w.multiplicity, (std::vector<std::uint32_t>{1, 1}));
  EXPECT_DOUBLE_EQ(w.bytes_per_s[0], 50e9 / 0.3712);
}

// 1/3 + 1/3 of a message on one link, 1/2 on another flow: sixths.
TEST(LinkWeights, ThirdsAndHalves) {
  const IntegerWeights w = weights_of({2.0 / 3, 0.5});
  EXPECT_EQ(w.multiplicity, (std::vector<std::uint32_t>{4, 3}));
  EXPECT_EQ(w.worst_rounding, 0);
}

// Weights of 1 and 10,000 with at most 100: the scale is 100 / 10,000, and the small one is rounded up from 0.01 to 1.
TEST(LinkWeights, RoundingIsReported) {
  const IntegerWeights w = weights_of({1, 10000}, 100);
  EXPECT_EQ(w.multiplicity, (std::vector<std::uint32_t>{1, 100}));
  EXPECT_DOUBLE_EQ(w.worst_rounding, 99);
}

TEST(LinkWeights, ZeroIsABug) { EXPECT_THROW(weights_of({0, 1}), std::logic_error); }

}  // namespace
}  // namespace gridlock::engine::test
