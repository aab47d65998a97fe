#include "calibrate/fit/packed_gemm_fit.hpp"

#include <gtest/gtest.h>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>

#include "calibrate/cpu/cpu_plan.hpp"
#include "calibrate/fit/gemm_point.hpp"
#include "sim/model/gemm_packed.hpp"

namespace gridlock::calibrate {
namespace {

constexpr double peak = 100e9;
const model::GemmModel packed_truth{
    .ceiling = 1, .launch_s = 2e-6, .kind = model::GemmKind::packed, .operand_bytes_per_s = 18e9, .output_bytes_per_s = 40e9};

double true_s(const Point& point) {
  return model::packed_gemm(gemm_shape(point), packed_truth, {.peak_flops = peak, .hbm_bytes_per_s = 1, .sms = 1}).device_s;
}

// The products that a calibration measures, with 5 % of noise and 5 % of them one and a half to four times too slow.
std::vector<Point> measured(std::uint64_t seed) {
  boost::random::mt19937_64 random(seed);
  boost::random::normal_distribution<double> noise(0, 0.05);
  boost::random::uniform_real_distribution<double> uniform(0, 1);
  std::vector<Point> points;
  for (const PlannedPoint& planned : unseen_cpu_plan({.rounds = 1}, 100)) {
    Point point = planned.point;
    point.error.clear();
    point.seconds = {true_s(point) * std::exp(noise(random))};
    if (uniform(random) < 0.05) point.seconds[0] *= 1.5 + 2.5 * uniform(random);
    points.push_back(point);
  }
  return points;
}

// Known terms, 200 trials: the 95 % interval of each covers the packed_truth in 90 to 98 % of them. The ceiling is the rate's
// share of a peak that is itself measured: the packed_truth is the true rate's share of the same.
TEST(PackedGemmFit, IntervalsCoverTheTruth) {
  constexpr int trials = 200;
  std::vector<int> covered(4, 0);
  for (int trial = 0; trial < trials; ++trial) {
    const PackedGemmFit f = fit_packed_gemm(measured(static_cast<std::uint64_t>(trial) + 1), Statistic::fastest);
    const double true_values[] = {peak / f.peak_flops, packed_truth.operand_bytes_per_s, packed_truth.output_bytes_per_s,
                                  packed_truth.launch_s};
    for (std::size_t j = 0; j < 4; ++j) {
      EXPECT_FALSE(f.fit.terms[j].refused) << f.fit.terms[j].name;
      covered[j] +=
          std::abs(f.fit.terms[j].value - true_values[j]) <= interval_95(f.fit.freedom) * f.fit.terms[j].standard_error ? 1 : 0;
    }
  }
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_GE(covered[j], 0.90 * trials) << j;
    EXPECT_LE(covered[j], 0.98 * trials) << j;
  }
}

// Only cubes of 512 and more: what a call costs and how fast the output is written stays in the dark.
TEST(PackedGemmFit, SaysWhichShapesAreMissing) {
  std::vector<Point> points;
  for (const double edge : {512, 640, 768, 1024, 1280, 1536, 2048, 3072}) {
    Point point{"gemm", {{"dtype", "fp32"}}, {{"m", edge}, {"n", edge}, {"k", edge}, {"batch", 1}}, {}, ""};
    point.seconds = {true_s(point) * (1 + 0.01 * std::sin(edge))};
    points.push_back(point);
  }
  const PackedGemmFit f = fit_packed_gemm(points, Statistic::median);
  EXPECT_TRUE(f.fit.terms[3].refused);
  EXPECT_NE(f.fit.terms[3].reason.find("products of at most 32 x 32 x 32"), std::string::npos) << f.fit.terms[3].reason;
}

TEST(PackedGemmFit, PointsThatAreNoProductsAreErrors) {
  EXPECT_THROW(gemm_shape({"gemm", {{"dtype", "fp32"}}, {{"m", 1}, {"n", 1}}, {1}, ""}), std::invalid_argument);
  EXPECT_THROW(gemm_shape({"gemm", {{"dtype", "fp32"}}, {{"m", 1.5}, {"n", 1}, {"k", 1}}, {1}, ""}), std::invalid_argument);
  EXPECT_THROW(gemm_shape({"gemm", {}, {{"m", 1}, {"n", 1}, {"k", 1}}, {1}, ""}), std::invalid_argument);
  EXPECT_THROW(bytes_of("int3"), std::invalid_argument);
}

// Repeats of several rounds count as one point; a failed one as none.
TEST(Summaries, RoundsAreMerged) {
  const Point a{"gemm", {{"dtype", "fp32"}}, {{"m", 1}}, {3, 1}, ""}, b{"gemm", {{"dtype", "fp32"}}, {{"m", 1}}, {2}, ""},
      c{"gemm", {{"dtype", "fp32"}}, {{"m", 2}}, {}, "timed out"};
  const std::vector<Point> points = merged({a, c, b});
  ASSERT_EQ(points.size(), 1u);
  EXPECT_DOUBLE_EQ(summary_s(points[0], Statistic::median), 2);
  EXPECT_DOUBLE_EQ(summary_s(points[0], Statistic::fastest), 1);
  EXPECT_TRUE(select(points, "gemm", {{"dtype", "fp64"}}).empty());
}

}  // namespace
}  // namespace gridlock::calibrate
