// Rank numbers by hand, for the orders that people use.
#include "sim/parallel/layout.hpp"

#include <gtest/gtest.h>

#include <set>

namespace gridlock::parallel {
namespace {

using scenario::Axis;

scenario::Parallelism parallelism(std::vector<Axis> order) {
  scenario::Parallelism p;
  p.tensor = 2, p.pipeline = 3, p.data = 4;
  p.order = std::move(order);
  return p;
}

// tp-cp-ep-dp-pp: rank = t + 2 (d + 4 p).
TEST(Layout, MegatronsOrder) {
  const Layout layout(parallelism({Axis::tensor, Axis::context, Axis::expert, Axis::data, Axis::pipeline}));
  EXPECT_EQ(layout.ranks(), 24u);
  EXPECT_EQ(layout.rank_of({0, 0, 0}), 0u);
  EXPECT_EQ(layout.rank_of({1, 0, 0}), 1u);
  EXPECT_EQ(layout.rank_of({0, 1, 0}), 2u);
  EXPECT_EQ(layout.rank_of({0, 0, 1}), 8u);
  EXPECT_EQ(layout.rank_of({1, 3, 2}), 23u);
}

// tp-pp-dp: rank = t + 2 (p + 3 d).
TEST(Layout, PipelineBeforeData) {
  const Layout layout(parallelism({Axis::tensor, Axis::pipeline, Axis::data, Axis::context, Axis::expert}));
  EXPECT_EQ(layout.rank_of({0, 0, 1}), 2u);
  EXPECT_EQ(layout.rank_of({0, 1, 0}), 6u);
}

// dp-tp-pp: rank = d + 4 (t + 2 p).
TEST(Layout, DataFirst) {
  const Layout layout(parallelism({Axis::data, Axis::tensor, Axis::pipeline, Axis::context, Axis::expert}));
  EXPECT_EQ(layout.rank_of({0, 1, 0}), 1u);
  EXPECT_EQ(layout.rank_of({1, 0, 0}), 4u);
  EXPECT_EQ(layout.rank_of({0, 0, 1}), 8u);
}

TEST(Layout, PositionsAndRanksAreInverse) {
  for (const std::vector<Axis>& order : {std::vector<Axis>{Axis::tensor, Axis::data, Axis::pipeline},
                                         std::vector<Axis>{Axis::pipeline, Axis::data, Axis::tensor}}) {
    const Layout layout(parallelism(order));
    std::set<RankId> seen;
    for (int t = 0; t < 2; ++t)
      for (int d = 0; d < 4; ++d)
        for (int p = 0; p < 3; ++p) {
          const RankId rank = layout.rank_of({t, d, p});
          EXPECT_TRUE(seen.insert(rank).second);
          EXPECT_LT(rank, 24u);
          EXPECT_EQ(layout.position_of(rank), (Position{t, d, p}));
        }
  }
}

}  // namespace
}  // namespace gridlock::parallel
