#include "collectives/collective.hpp"

#include <gtest/gtest.h>

namespace gridlock::collectives {
namespace {

// nccl-tests doc/PERFORMANCE.md.
TEST(BusFactor, IsNcclTests) {
  EXPECT_DOUBLE_EQ(bus_factor(Kind::all_reduce, 8), 1.75);
  EXPECT_DOUBLE_EQ(bus_factor(Kind::reduce_scatter, 8), 0.875);
  EXPECT_DOUBLE_EQ(bus_factor(Kind::all_gather, 8), 0.875);
  EXPECT_DOUBLE_EQ(bus_factor(Kind::all_to_all, 8), 0.875);
  EXPECT_DOUBLE_EQ(bus_factor(Kind::broadcast, 8), 1);
  EXPECT_DOUBLE_EQ(bus_factor(Kind::reduce, 8), 1);
  EXPECT_DOUBLE_EQ(bus_factor(Kind::send_recv, 8), 1);
}

TEST(Names, AreTheFieldsOwn) {
  EXPECT_EQ(name(Kind::reduce_scatter), "reduce-scatter");
  EXPECT_EQ(name(Algorithm::nvls_tree), "NVLSTree");
  EXPECT_EQ(name(Protocol::ll128), "LL128");
}

}  // namespace
}  // namespace gridlock::collectives
