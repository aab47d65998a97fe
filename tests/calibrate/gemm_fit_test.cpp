#include "calibrate/fit/gemm_fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "sim/scenario/load.hpp"

namespace gridlock::calibrate {
namespace {

const std::string scenarios = std::string(GRIDLOCK_SOURCE_DIR) + "/scenarios/";

std::vector<GemmSample> table(const std::string& name) {
  std::ifstream in(scenarios + "profiles/data/" + name);
  return read_gemm_samples(in, name);
}

// The setting of a shipped profile's table: its GPU at the precision of the table.
GemmSetting setting(const scenario::Scenario& s, const std::string& precision, double element_bytes) {
  return {.device = model::device(s.cluster.node.gpu, precision),
          .memory = s.profile.memory,
          .operand_bytes = element_bytes,
          .output_bytes = element_bytes};
}

GemmSetting round_gpu() { return {.device = {300e12, 2e12, 100}, .memory = {.efficiency = 0.8, .start_s = 0}}; }

// Times made by a known model near the prior: the fit predicts them within 1 %, left out or not.
TEST(GemmFit, RecoversAKnownModel) {
  const model::GemmModel truth{
      .ceiling = 0.78, .tile_traffic = 30, .wave_s = 1.2e-6, .launch_s = 3.5e-6, .overlap_exponent = 2.2};
  std::vector<GemmSample> samples;
  for (const std::int64_t n : {1024, 2048, 3072, 4096, 8192, 16384}) {
    for (const std::int64_t k : {256, 4096}) samples.push_back({n, n / 2, k, 0});
  }
  for (GemmSample& sample : samples) sample.seconds = predict_s(sample, round_gpu(), truth);
  const GemmFit fit = fit_gemm(samples, round_gpu());
  for (const double error : fit.error) EXPECT_LT(std::abs(error), 0.01);
  EXPECT_LT(root_mean_square(fit.left_out_error), 0.02);
  EXPECT_NEAR(fit.model.ceiling / truth.ceiling, 1, 0.01);
}

TEST(GemmFit, SameInputSameFit) {
  const auto samples = table("a100-fp16-gemm.csv");
  const GemmSetting where = round_gpu();
  EXPECT_EQ(fit_yaml(fit_gemm(samples, where)), fit_yaml(fit_gemm(samples, where)));
}

TEST(GemmFit, RootMeanSquare) { EXPECT_DOUBLE_EQ(root_mean_square({0.03, -0.04}), std::sqrt((0.0009 + 0.0016) / 2)); }

TEST(GemmFit, ReportHasALineAShape) {
  const std::vector<GemmSample> samples{{1024, 1024, 1024, 20e-6}, {4096, 4096, 4096, 600e-6}};
  const std::string report = fit_report(samples, round_gpu(), fit_gemm(samples, round_gpu()));
  EXPECT_EQ(std::count(report.begin(), report.end(), '\n'), 4);  // header, two shapes, summary
  EXPECT_NE(report.find("20.00"), std::string::npos);
}

// Rows of the public tables, each predicted by a fit to the others of its table: at most 6 % off in the median.
TEST(GemmFit, RowsThatAreLeftOutArePredicted) {
  const auto check = [](const std::string& node, const std::string& profile, const std::string& file,
                        const std::string& precision, double bytes) {
    const std::string text = "cluster: {nodes: 1, node: " + node + "}\nprofile: " + profile + "\n";
    const auto s = scenario::load_cluster(std::make_shared<const scenario::Source>(scenario::Source{"text", text}));
    const GemmFit fit = fit_gemm(table(file), setting(s, precision, bytes));
    EXPECT_LE(median_magnitude(fit.left_out_error), 0.06) << file;
  };
  check("hgx-a100", "a100-sxm", "a100-fp16-gemm.csv", "fp16", 2);
  check("hgx-h100", "h100-sxm", "h100-fp8-gemm.csv", "fp8", 1);
  check("hgx-h200", "h200-sxm", "h200-fp8-gemm.csv", "fp8", 1);
}

// Two large cubes of the same speed say the ceiling to about 5 % / sqrt(2), and nothing of the launch: its error stays what was
// known beforehand, a factor of 1.5, ln 1.5 = 0.41 of its value.
TEST(GemmFit, StandardErrorsTellWhatTheRowsSay) {
  std::vector<GemmSample> samples{{16384, 16384, 16384, 0}, {32768, 32768, 32768, 0}};
  const model::GemmModel truth{.ceiling = 0.8, .tile_traffic = 38, .wave_s = 1e-6, .launch_s = 3e-6, .overlap_exponent = 2};
  for (GemmSample& sample : samples) sample.seconds = predict_s(sample, round_gpu(), truth);
  const GemmFit fit = fit_gemm(samples, round_gpu());
  EXPECT_NEAR(fit.standard_error.ceiling / fit.model.ceiling, 0.05 / std::sqrt(2), 0.01);
  EXPECT_NEAR(fit.standard_error.launch_s / fit.model.launch_s, std::log(1.5), 0.02);
}

TEST(GemmFit, MedianMagnitude) {
  EXPECT_DOUBLE_EQ(median_magnitude({-3, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(median_magnitude({-3, 1}), 2);
}

// The terms in profiles/a100-sxm.yaml are the fit of its table, rounded, and its comment tells the errors.
TEST(GemmFit, A100ProfileIsTheFitOfItsTable) {
  const auto s = scenario::load_cluster(scenarios + "published/kork_22B_full.yaml");
  const auto samples = table("a100-fp16-gemm.csv");
  const GemmFit fit = fit_gemm(samples, setting(s, "fp16", 2));
  EXPECT_NEAR(s.profile.gemm.ceiling, fit.model.ceiling, 0.001);
  EXPECT_NEAR(s.profile.gemm.tile_traffic, fit.model.tile_traffic, 0.2);
  EXPECT_NEAR(s.profile.gemm.wave_s, fit.model.wave_s, 0.02e-6);
  EXPECT_NEAR(s.profile.gemm.launch_s, fit.model.launch_s, 0.02e-6);
  EXPECT_NEAR(s.profile.gemm.overlap_exponent, fit.model.overlap_exponent, 0.02);
  EXPECT_NEAR(root_mean_square(fit.error), 0.030, 0.002);
  EXPECT_NEAR(root_mean_square(fit.left_out_error), 0.091, 0.01);
}

// profiles/h100-sxm.yaml: shape terms of the fp8 table, the wave term doubled for 2-byte outputs; the ceiling is the warmest
// runs' share of the peak, argued there.
TEST(GemmFit, H100ProfileTakesItsShapesFromTheFp8Table) {
  const auto s = scenario::load_cluster(scenarios + "gpt3-175b-4096xh100.yaml");
  const auto samples = table("h100-fp8-gemm.csv");
  const GemmFit fit = fit_gemm(samples, setting(s, "fp8", 1));
  EXPECT_NEAR(s.profile.gemm.tile_traffic, fit.model.tile_traffic, 0.2);
  EXPECT_NEAR(s.profile.gemm.wave_s, 2 * fit.model.wave_s, 0.04e-6);
  EXPECT_NEAR(s.profile.gemm.launch_s, fit.model.launch_s, 0.02e-6);
  EXPECT_NEAR(s.profile.gemm.overlap_exponent, fit.model.overlap_exponent, 0.02);
  EXPECT_NEAR(root_mean_square(fit.error), 0.036, 0.002);
  EXPECT_NEAR(s.profile.gemm.ceiling / fit.model.ceiling, 1, 0.04);
}

// The bf16 rows ran at another clock: only the ratio of 4096^3 to 8192^3 tells something. The profile has it within 5 %, what
// boards differ by, and closer than with the wave term of fp8.
TEST(GemmFit, H100ShapeAgreesWithShortBf16Runs) {
  const auto s = scenario::load_cluster(scenarios + "gpt3-175b-4096xh100.yaml");
  const GemmSetting where = setting(s, "bf16", 2);
  const auto samples = table("h100-bf16-gemm.csv");
  const auto ratio = [&](const model::GemmModel& model) {
    return predict_s(samples[0], where, model) / predict_s(samples[1], where, model) / (samples[0].seconds / samples[1].seconds);
  };
  model::GemmModel as_fp8 = s.profile.gemm;
  as_fp8.wave_s /= 2;
  EXPECT_NEAR(ratio(s.profile.gemm), 1, 0.05);
  EXPECT_LT(std::abs(ratio(s.profile.gemm) - 1), std::abs(ratio(as_fp8) - 1));
}

}  // namespace
}  // namespace gridlock::calibrate
