// Knees of step times with a closed form, and points where more bandwidth is slower.

#include "sim/sweep/knee.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/sweep/analyse.hpp"
#include "sim/sweep/reversal.hpp"
#include "tests/sweep/made_up.hpp"

namespace gridlock::sweep {
namespace {

class Swept {
 public:
  Swept(const std::vector<std::string>& vary, const Formula& formula, double knee = 0.05,
        const std::vector<std::string>& zip = {})
      : file("", ResultFile::Mode::temporary, header_of(vary, knee, zip)) {
    fill(file, made_work(formula, 0.5));
  }
  ResultFile file;
};

// t(x) = max(1, 100 / x) leaves 1.05 at x = 100 / 1.05 = 95.238.
TEST(Knee, OfARooflineIsWithinOnePercent) {
  const Swept s({"cluster.fabric.nic=log:10..1000Gbps:5"}, [](const auto& x) { return std::max(1.0, 100 / x[0]); });
  const std::vector<Knee> knees = find_knees(s.file);
  ASSERT_EQ(knees.size(), 1u);
  EXPECT_TRUE(knees[0].below);
  EXPECT_TRUE(knees[0].saturated);
  EXPECT_NEAR(knees[0].value, 100 / 1.05, 0.01 * 100 / 1.05);
  EXPECT_LT(knees[0].slow_value, 100 / 1.05);
  EXPECT_GE(knees[0].fast_value, 100 / 1.05);
  EXPECT_EQ(knees[0].plateau_s, 1);
  EXPECT_NE(knees[0].slow_regime.find("data-parallel comm., bound by NIC to leaf"), std::string::npos) << knees[0].slow_regime;
  EXPECT_NE(knee_text(s.file.header(), knees[0]).find("below 95."), std::string::npos);
}

// With a threshold of 20 %: 100 / 1.2 = 83.3.
TEST(Knee, ThresholdIsSettable) {
  const Swept s(
      {"cluster.fabric.nic=10..1000Gbps:8"}, [](const auto& x) { return std::max(1.0, 100 / x[0]); }, 0.2);
  ASSERT_EQ(find_knees(s.file).size(), 1u);
  EXPECT_NEAR(find_knees(s.file)[0].value, 100 / 1.2, 0.83);
}

// Less oversubscription is better: t(x) = max(1, x / 3) leaves 1.05 at 3.15, going up.
TEST(Knee, MayLieAbove) {
  const Swept s({"cluster.fabric.oversubscription.leaf=1..8:8"}, [](const auto& x) { return std::max(1.0, x[0] / 3); });
  ASSERT_EQ(find_knees(s.file).size(), 1u);
  EXPECT_FALSE(find_knees(s.file)[0].below);
  EXPECT_NEAR(find_knees(s.file)[0].value, 3.15, 0.03);
}

// |log2 x - 3| + 1 is best at 8, and above 1.05 at once on both sides: whole numbers 7 and 9.
TEST(Knee, OnBothSidesAndOfWholeNumbers) {
  const Swept s({"batch.micro=1,8,64"}, [](const auto& x) { return std::abs(std::log2(x[0]) - 3) + 1; });
  const std::vector<Knee> knees = find_knees(s.file);
  ASSERT_EQ(knees.size(), 2u);
  EXPECT_EQ(knees[0].slow_value, 7);
  EXPECT_EQ(knees[1].slow_value, 9);
}

TEST(Knee, OfEachLineOfAGrid) {
  const Swept s({"cluster.fabric.nic=log:10..1000Gbps:5", "batch.global=1,2"},
                [](const auto& x) { return std::max(1.0, 100 * x[1] / x[0]); });
  const std::vector<Knee> knees = find_knees(s.file);
  ASSERT_EQ(knees.size(), 5u);  // two along the bandwidth, and three where twice the batch is slower
  EXPECT_NEAR(knees[0].value, 100 / 1.05, 1);
  EXPECT_NEAR(knees[1].value, 200 / 1.05, 2);
  EXPECT_EQ(line_name(s.file.grid(), knees[1].axis, knees[1].held), "cluster.fabric.nic at batch.global=2");
}

// Zipped bandwidths move together at equal ratios, so nic = 100, nvlink = 1000 lies on the way from (50, 500) to (200, 2000), and
// t = max(1, 100 / nic) + max(0, 900 - nvlink) leaves 1.05 where the first term does: at 95.24.
TEST(Knee, OfZippedValuesIsNarrowedToo) {
  const Swept s({}, [](const auto& x) { return std::max(1.0, 100 / x[0]) + std::max(0.0, 900 - x[1]); }, 0.05,
                {"cluster.fabric.nic=50Gbps,200Gbps,800Gbps;cluster.node.nvlink=500GBps,2000GBps,8000GBps"});
  const std::vector<Knee> knees = find_knees(s.file);
  ASSERT_EQ(knees.size(), 1u);
  EXPECT_EQ(knees[0].why_wide, "");
  EXPECT_NEAR(knees[0].value, 100 / 1.05, 0.01 * 100);
  for (const Point& p : s.file.all_refined())
    EXPECT_NEAR(split_number(p.values[1])->value, 10 * split_number(p.values[0])->value, 1e-5) << p.values[0];
}

TEST(Knee, SaysWhyItIsNoNarrower) {
  const Formula roof = [](const auto& x) { return std::max(1.0, 100 / x[0]); };
  const Swept whole({}, roof, 0.05, {"cluster.nodes=50,200;parallelism.data=5,20"});
  ASSERT_EQ(find_knees(whole.file).size(), 1u);
  EXPECT_NE(
      knee_text(whole.file.header(), find_knees(whole.file)[0]).find("below a value from 50 to 200 (no narrower: cluster.nodes"),
      std::string::npos);
  const Swept named({}, roof, 0.05, {"cluster.fabric.nic=50Gbps,200Gbps;cluster.fabric.routing=ecmp,static"});
  ASSERT_EQ(find_knees(named.file).size(), 1u);
  EXPECT_NE(find_knees(named.file)[0].why_wide.find("cluster.fabric.routing"), std::string::npos);
  EXPECT_TRUE(named.file.all_refined().empty());
  const Swept many({"cluster.fabric.nic=50Gbps,200Gbps", "seed=1..257"}, roof);
  ASSERT_EQ(find_knees(many.file).size(), 257u);
  EXPECT_EQ(find_knees(many.file)[0].why_wide, "the grid has more than 256 lines");
}

TEST(Knee, NoneOnAFlatLineAndUnsaturatedOnASteepOne) {
  const Swept flat({"cluster.fabric.nic=10..100Gbps:4"}, [](const auto&) { return 1.0; });
  EXPECT_TRUE(find_knees(flat.file).empty());
  EXPECT_NE(notes_on(flat.file, {}).at(0).find("no knee"), std::string::npos);
  const Swept steep({"cluster.fabric.nic=10..100Gbps:4"}, [](const auto& x) { return 1 / x[0]; });
  ASSERT_EQ(find_knees(steep.file).size(), 1u);
  EXPECT_FALSE(find_knees(steep.file)[0].saturated);
}

TEST(Knee, FailedPointsAreStepsOver) {
  ResultFile file("", ResultFile::Mode::temporary, header_of({"cluster.fabric.nic=20Gbps,50Gbps,100Gbps,200Gbps,400Gbps"}));
  const Work good = made_work([](const auto& x) { return std::max(1.0, 100 / x[0]); }, 0.5);
  fill(file, [&](const Task& task) {
    if (task.place.values[0] != "50Gbps") return good(task);
    Point failed = task.place;
    failed.error = "no luck";
    return point_json(failed).dump();
  });
  EXPECT_EQ(file.failed_points(), 1u);
  ASSERT_EQ(find_knees(file).size(), 1u);
  EXPECT_NEAR(find_knees(file)[0].value, 100 / 1.05, 1);
}

// The wanted points depend on results alone: whoever computes them, the file is the same.
TEST(Knee, RefinementDoesNotDependOnTheNumberOfJobs) {
  const auto lines = [](std::size_t jobs) {
    ResultFile file("", ResultFile::Mode::temporary, header_of({"cluster.fabric.nic=log:10..1000Gbps:5"}));
    fill(file, made_work([](const auto& x) { return std::max(1.0, 100 / x[0]); }, 0.5), jobs);
    std::string all;
    file.visit_points([&](const std::string& line) { all += line + "\n"; });
    return all;
  };
  EXPECT_EQ(lines(1), lines(3));
}

TEST(Reversal, IsMarkedAndExplained) {
  const Swept s({"cluster.fabric.nic=100Gbps,200Gbps,400Gbps"}, [](const auto& x) { return x[0] == 200 ? 1.2 : 1.0; });
  const std::vector<Reversal> found = find_reversals(s.file);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].from, 0);
  EXPECT_EQ(found[0].to, 1);
  EXPECT_NEAR(found[0].slower_s, 0.2, 1e-12);
  EXPECT_NE(found[0].why.find("data-parallel comm., bound by NIC to leaf grows by 200 ms"), std::string::npos) << found[0].why;
}

// Of oversubscription less is more bandwidth; of a batch neither is known.
// Zipped paths must agree on what more bandwidth is.
TEST(Reversal, OfZippedValues) {
  const auto found = [](const char* zip) {
    const Swept s({}, [](const auto& x) { return x[0]; }, 0, {zip});
    return find_reversals(s.file).size();
  };
  EXPECT_EQ(found("cluster.fabric.nic=100Gbps,200Gbps;cluster.node.nvlink=300GBps,400GBps"), 1u);
  EXPECT_EQ(found("cluster.fabric.nic=100Gbps,200Gbps;cluster.fabric.oversubscription.leaf=4,2"), 1u);
  EXPECT_EQ(found("cluster.fabric.nic=100Gbps,200Gbps;cluster.fabric.oversubscription.leaf=2,4"), 0u);
  EXPECT_EQ(found("cluster.fabric.nic=100Gbps,200Gbps;cluster.nodes=2,4"), 0u);
}

TEST(Reversal, KnowsWhichWayIsBetter) {
  const Formula rises = [](const auto& x) { return x[0]; };
  EXPECT_TRUE(find_reversals(Swept({"cluster.fabric.oversubscription.leaf=1,2,4"}, rises).file).empty());
  EXPECT_EQ(
      find_reversals(Swept({"cluster.fabric.oversubscription.leaf=1,2,4"}, [](const auto& x) { return 1 / x[0]; }).file).size(),
      2u);
  EXPECT_TRUE(find_reversals(Swept({"batch.global=1,2,4"}, rises).file).empty());
}

}  // namespace
}  // namespace gridlock::sweep
