#include "collectives/exchange.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace gridlock::collectives {
namespace {

double sent(const Exchange& exchange, std::size_t from) {
  double sum = 0;
  for (std::size_t to = 0; to < exchange.ranks(); ++to) sum += exchange.share(from, to);
  return sum;
}

std::size_t pairs(const Exchange& exchange) {
  std::size_t count = 0;
  exchange.for_each_pair([&](std::size_t, std::size_t, double) { ++count; });
  return count;
}

TEST(Exchange, EvenOnes) {
  EXPECT_EQ(pairs(Exchange::even(Kind::all_to_all, 5)), 20u);
  EXPECT_EQ(pairs(Exchange::even(Kind::send_recv, 5)), 5u);
  EXPECT_EQ(pairs(Exchange::even(Kind::gather, 5)), 4u);
  EXPECT_EQ(pairs(Exchange::even(Kind::scatter, 5)), 4u);
  EXPECT_DOUBLE_EQ(Exchange::even(Kind::all_to_all, 5).largest_share(), 0.2);
  EXPECT_DOUBLE_EQ(Exchange::even(Kind::gather, 5).largest_share(), 0.2);
  EXPECT_DOUBLE_EQ(Exchange::even(Kind::scatter, 5).largest_share(), 0.2);
  EXPECT_DOUBLE_EQ(Exchange::even(Kind::send_recv, 2).share(1, 0), 1);
}

// The mean row is 1; rank 0 receives `factor` of each, the others (n - factor) / (n - 1): 4 ranks, factor 2: 2/4 and 2/3/4.
TEST(Exchange, Imbalanced) {
  const Exchange exchange = Exchange::imbalanced(4, 2);
  EXPECT_DOUBLE_EQ(sent(exchange, 3), 1);
  EXPECT_DOUBLE_EQ(exchange.share(3, 0), 0.5);
  EXPECT_DOUBLE_EQ(exchange.share(3, 1), 2.0 / 3 / 4);
  EXPECT_DOUBLE_EQ(Exchange::imbalanced(4, 1).share(1, 2), 0.25);
  EXPECT_EQ(pairs(Exchange::imbalanced(4, 4)), 3u);  // all to rank 0
  EXPECT_THROW(Exchange::imbalanced(4, 0.5), std::invalid_argument);
  EXPECT_THROW(Exchange::imbalanced(4, 4.1), std::invalid_argument);
  EXPECT_THROW(Exchange::imbalanced(4, std::nan("")), std::invalid_argument);
}

TEST(Exchange, RefusesMatricesThatCannotBe) {
  EXPECT_THROW(Exchange::weighted({}), std::invalid_argument);
  EXPECT_THROW(Exchange::weighted({{0, 1}, {1}}), std::invalid_argument);
  EXPECT_THROW(Exchange::weighted({{0, -1}, {1, 0}}), std::invalid_argument);
  EXPECT_THROW(Exchange::weighted({{1, 0}, {0, 1}}), std::invalid_argument);
}

TEST(Exchange, ReadsWeights) {
  const auto rows = parse_weights("# bytes\n100 200\n\n50, 100  # of rank 1\n");
  EXPECT_EQ(rows, (std::vector<std::vector<double>>{{100, 200}, {50, 100}}));
  EXPECT_THROW(parse_weights("1 x\n"), std::invalid_argument);
  EXPECT_TRUE(parse_weights("").empty());
}

}  // namespace
}  // namespace gridlock::collectives
