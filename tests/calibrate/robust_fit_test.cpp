// Synthetic measurements whose truth is known.
#include "calibrate/fit/robust_fit.hpp"

#include <gtest/gtest.h>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>

namespace gridlock::calibrate {
namespace {

using Random = boost::random::mt19937_64;

// t = start + bytes / bandwidth, sizes from 1 kB to 1 GB.
double line_s(const std::vector<double>& terms, double bytes) { return terms[0] + bytes / terms[1]; }

struct Line {
  std::vector<double> bytes;
  RobustProblem problem;
};

Line line(const std::vector<double>& truth, int points) {
  Line out;
  for (int i = 0; i < points; ++i) {
    out.bytes.push_back(1e3 * std::pow(1e6, i / (points - 1.0)));
    out.problem.measured.push_back(line_s(truth, out.bytes.back()));
  }
  out.problem.terms = {{"start", 1e-6, 100, "sizes below 10 kB"}, {"bandwidth", 1e9, 100, "sizes above 100 MB"}};
  return out;
}

RobustFit fit(Line& l) {
  l.problem.model = [&l](const std::vector<double>& terms, std::size_t i) { return line_s(terms, l.bytes[i]); };
  return robust_fit(l.problem);
}

TEST(RobustFit, FindsTheTruthOfExactMeasurements) {
  Line l = line({5e-6, 2e10}, 20);
  const RobustFit f = fit(l);
  EXPECT_NEAR(f.terms[0].value / 5e-6, 1, 1e-3);
  EXPECT_NEAR(f.terms[1].value / 2e10, 1, 1e-3);
  for (const double error : f.left_out_error) EXPECT_NEAR(error, 0, 1e-3);
}

// The worked example of robust_fit.hpp: 1, 1, 1, 1.1, 9 s and s = 0.05. At the least of sum rho, with w(u) = (1 - (u/c)^2)^2,
// the pulls of both times cancel: 3 w(x / s) x = w((ln 1.1 - x) / s) (ln 1.1 - x).
TEST(RobustFit, AWildMeasurementHasNoSay) {
  RobustProblem problem;
  problem.measured = {1, 1, 1, 1.1, 9};
  problem.terms = {{"time", 2, 0, ""}};
  problem.model = [](const std::vector<double>& terms, std::size_t) { return terms[0]; };
  problem.least_spread = 0.05;
  const RobustFit f = robust_fit(problem);
  const auto pull = [](double r) { return r * std::pow(1 - std::pow(r / 0.05 / 4.685, 2), 2); };
  const double x = std::log(f.terms[0].value);
  EXPECT_DOUBLE_EQ(f.spread, 0.05);
  EXPECT_NEAR(3 * pull(x), pull(std::log(1.1) - x), 1e-6);
  EXPECT_EQ(f.outlier, (std::vector<bool>{false, false, false, false, true}));
}

// 5 % noise, 5 % of the measurements two to four times too slow: 95 % intervals cover the truth in 90 to 98 of 100 trials.
TEST(RobustFit, IntervalsCoverTheTruth) {
  const std::vector<double> truth{5e-6, 2e10};
  Random random(7);
  boost::random::normal_distribution<double> noise(0, 0.05);
  boost::random::uniform_real_distribution<double> uniform(0, 1);
  std::vector<int> covered(truth.size(), 0);
  constexpr int trials = 200;
  for (int trial = 0; trial < trials; ++trial) {
    Line l = line(truth, 40);
    for (double& t : l.problem.measured) {
      t *= std::exp(noise(random));
      if (uniform(random) < 0.05) t *= 2 + 2 * uniform(random);
    }
    const RobustFit f = fit(l);
    for (std::size_t j = 0; j < truth.size(); ++j)
      covered[j] += std::abs(f.terms[j].value - truth[j]) <= interval_95(f.freedom) * f.terms[j].standard_error ? 1 : 0;
  }
  for (const int count : covered) {
    EXPECT_GE(count, 0.90 * trials);
    EXPECT_LE(count, 0.98 * trials);
  }
}

// Only large sizes: 1 GB at 20 GB/s takes 50 ms, a start of 5 us is a ten-thousandth of it.
TEST(RobustFit, RefusesWhatThePointsCannotIdentify) {
  Line l = line({5e-6, 2e10}, 20);
  Random random(3);
  boost::random::normal_distribution<double> noise(0, 0.02);
  for (std::size_t i = 0; i < l.bytes.size(); ++i) {
    l.bytes[i] = 1e9 * (1 + static_cast<double>(i));
    l.problem.measured[i] = line_s({5e-6, 2e10}, l.bytes[i]) * std::exp(noise(random));
  }
  const RobustFit f = fit(l);
  EXPECT_TRUE(f.terms[0].refused);
  EXPECT_DOUBLE_EQ(f.terms[0].value, 1e-6);  // as expected beforehand
  EXPECT_NE(f.terms[0].reason.find("measure sizes below 10 kB"), std::string::npos) << f.terms[0].reason;
  EXPECT_FALSE(f.terms[1].refused);
  EXPECT_NEAR(f.terms[1].value / 2e10, 1, 0.02);
}

// A launch of 1 us is expected, but the shortest of the measured times is 0.1 us: it must not stay at 1 us.
TEST(RobustFit, KeepsASmallTermWhoseExpectationTheDataContradict) {
  Line l = line({1e-12, 1e10}, 30);
  const RobustFit f = fit(l);
  EXPECT_FALSE(f.terms[0].refused);
  EXPECT_LT(f.terms[0].value, 1e-9);
}

TEST(RobustFit, TooFewMeasurementsAreAnError) {
  Line l = line({5e-6, 2e10}, 2);
  l.problem.measured.resize(1);
  EXPECT_THROW(fit(l), std::invalid_argument);
}

// Student's t: 12.706 with one degree of freedom, 1.96 with many.
TEST(RobustFit, IntervalsAreStudents) {
  EXPECT_NEAR(interval_95(1), 12.706, 1e-3);
  EXPECT_NEAR(interval_95(100000), 1.96, 1e-3);
}

}  // namespace
}  // namespace gridlock::calibrate
