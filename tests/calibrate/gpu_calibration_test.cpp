// calibrate/fit/tiled_gemm_fit and calibrate/profile on points of a GPU whose terms are known.
#include <gtest/gtest.h>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>

#include "calibrate/fit/gemm_point.hpp"
#include "calibrate/fit/tiled_gemm_fit.hpp"
#include "calibrate/measure/gpu_plan.hpp"
#include "calibrate/profile/calibration.hpp"
#include "sim/model/gemm.hpp"

namespace gridlock::calibrate {
namespace {

const model::GemmModel gpu_truth{.ceiling = 0.68, .tile_traffic = 30, .wave_s = 3e-6, .launch_s = 5e-6, .overlap_exponent = 3};
const model::MemoryModel memory{.efficiency = 0.9, .start_s = 3e-6};

topology::GpuSpec gpu() {
  topology::GpuSpec spec;
  spec.name = "gpu";
  spec.peak_flops = {{"bf16", 1e15}};
  spec.hbm_bytes = 80e9;
  spec.hbm_bytes_per_s = 3e12;
  spec.sms = 132;
  return spec;
}

model::Profile gpu_preset() {
  model::Profile p;
  p.gpu = "gpu";
  p.dispatch_s = 5e-6;
  p.gemm = {.ceiling = 0.75, .tile_traffic = 40, .wave_s = 4e-6, .launch_s = 4e-6, .overlap_exponent = 2.5};
  p.memory = {.efficiency = 0.85, .start_s = 2.5e-6};
  p.links = {.nvlink_efficiency = 0.8, .pcie_efficiency = 0.8, .nic_efficiency = 0.9};
  p.tuning.intra_channel_bytes_per_s = 28e9;
  p.tuning.intra_channels = 12;
  p.tuning.inter_channel_bytes_per_s = 40e9;
  p.tuning.inter_channels = 1;
  return p;
}

// The products that the full plan measures on such a GPU.
std::vector<Point> products(double noise, std::uint64_t seed) {
  Description machine;
  machine.dtypes = {"bf16"};
  machine.memory_bytes = 70e9;
  boost::random::mt19937_64 random(seed);
  boost::random::normal_distribution<double> scatter(0, 1);
  boost::random::uniform_real_distribution<double> uniform(0, 1);
  std::vector<Point> points;
  for (const PlannedPoint& planned : only(make_gpu_plan(GpuPlan::full, machine), {"gemm"})) {
    Point point = planned.point;
    point.error.clear();
    point.seconds = {model::gemm(gemm_shape(point), gpu_truth, memory, model::device(gpu(), "bf16")).device_s *
                     std::exp(noise * scatter(random))};
    if (noise > 0 && uniform(random) < 0.05) point.seconds[0] *= 1.5 + 2.5 * uniform(random);
    points.push_back(point);
  }
  return points;
}

double value(const Calibration& c, const std::string& key) {
  for (const ProfileValue& v : c.profile.values)
    if (v.key == key) return v.value;
  return std::nan("");
}

bool says(const Calibration& c, const std::string& text) {
  for (const std::string& sentence : c.profile.kept)
    if (sentence.find(text) != std::string::npos) return true;
  return false;
}

PointFile everything() {
  PointFile file;
  file.points = products(0, 1);
  for (const double mb : {4, 64, 1000})
    file.points.push_back({"copy", {}, {{"bytes", mb * 1e6}}, {3e-6 + mb * 1e6 / 2.7e12}, ""});
  file.points.push_back({"launch", {{"graph", "no"}}, {}, {2e-6, 2.1e-6, 2.2e-6}, ""});
  return file;
}

// Known terms, 12 trials of 5 % noise and 5 % outliers: the 95 % intervals cover them in 9 at least (8 or fewer happen once in
// five thousand), though a prior pulls towards a preset that is off by up to a third.
TEST(TiledGemmFit, IntervalsCoverTheTruth) {
  const double known[] = {gpu_truth.ceiling, gpu_truth.tile_traffic, gpu_truth.wave_s, gpu_truth.launch_s,
                          gpu_truth.overlap_exponent};
  constexpr int trials = 12;
  std::vector<int> covered(5, 0), fitted(5, 0);
  for (int trial = 0; trial < trials; ++trial) {
    const TiledGemmFit f = fit_tiled_gemm(products(0.05, static_cast<std::uint64_t>(trial) + 1), Statistic::median,
                                          model::device(gpu(), "bf16"), memory, gpu_preset().gemm);
    for (std::size_t j = 0; j < 5; ++j) {
      if (f.fit.terms[j].refused) continue;
      ++fitted[j];
      covered[j] +=
          std::abs(f.fit.terms[j].value - known[j]) <= interval_95(f.fit.freedom) * f.fit.terms[j].standard_error ? 1 : 0;
    }
  }
  for (std::size_t j = 0; j < 5; ++j) {
    EXPECT_GE(fitted[j], 9) << j;
    EXPECT_GE(covered[j], 0.75 * fitted[j]) << j;
  }
}

TEST(GpuCalibration, FitsProductsAndMemoryAndKeepsTheRest) {
  const Calibration c = calibrate_gpu(everything(), {"base", gpu_preset(), gpu(), std::nullopt});
  EXPECT_NEAR(value(c, "gemm.ceiling"), gpu_truth.ceiling, 0.01);
  EXPECT_NEAR(value(c, "gemm.launch"), gpu_truth.launch_s, 0.3e-6);
  EXPECT_NEAR(value(c, "memory.efficiency"), 0.9, 0.005);
  EXPECT_TRUE(says(c, "flash, links, nccl"));
  ASSERT_TRUE(c.roofline);
  EXPECT_EQ(c.roofline->dtype, "bf16");
}

// A bare launch of 2.1 us is less than what a framework takes between two kernels; one of 9 us is more than the preset allows.
TEST(GpuCalibration, ABareLaunchDoesNotMakeStepsFaster) {
  PointFile file = everything();
  const Calibration fast = calibrate_gpu(file, {"base", gpu_preset(), gpu(), std::nullopt});
  EXPECT_TRUE(std::isnan(value(fast, "dispatch")));
  EXPECT_TRUE(says(fast, "a bare launch takes 2.1 us"));
  file.points.back().seconds = {9e-6};
  EXPECT_NEAR(value(calibrate_gpu(file, {"base", gpu_preset(), gpu(), std::nullopt}), "dispatch"), 9e-6, 1e-9);
}

// In the tenth second a product takes 1.1 times as long as in the first: so much lower is the ceiling.
TEST(GpuCalibration, TheCeilingIsThatOfLongRuns) {
  PointFile file = everything();
  const double cold = value(calibrate_gpu(file, {"base", gpu_preset(), gpu(), std::nullopt}), "gemm.ceiling");
  file.points.push_back({"sustained", {}, {{"second", 1}}, {1.0e-3}, ""});
  file.points.push_back({"sustained", {}, {{"second", 10}}, {1.1e-3}, ""});
  const Calibration warm = calibrate_gpu(file, {"base", gpu_preset(), gpu(), std::nullopt});
  EXPECT_NEAR(value(warm, "gemm.ceiling"), cold / 1.1, 1e-6);
  EXPECT_TRUE(says(warm, "divided by 1.100"));
}

// Peer copies of 396 GB/s are 0.88 of NVLink's 450; pinned copies of 50.4 GB/s are 0.8 of PCIe's 63; a product that takes 1.2
// times as long beside an all-reduce has lost 132 (1 - 1/1.2) = 22 SMs.
TEST(GpuCalibration, LinksComeFromCopiesAndCollectives) {
  topology::ClusterSpec cluster;
  cluster.node.gpu = gpu();
  cluster.node.nvlink_bytes_per_s = 450e9;
  cluster.node.pcie_bytes_per_s = cluster.node.socket_bytes_per_s = 63e9;
  cluster.node.nic_bytes_per_s = 50e9;
  PointFile file = everything();
  for (const double bytes : {65536.0, 268435456.0}) {
    file.points.push_back({"peer_copy", {{"path", "direct"}}, {{"bytes", bytes}}, {8e-6 + bytes / 396e9}, ""});
    file.points.push_back({"host_copy", {{"memory", "pinned"}}, {{"bytes", bytes}}, {6e-6 + bytes / 50.4e9}, ""});
    file.points.push_back({"host_copy", {{"memory", "pageable"}}, {{"bytes", bytes}}, {6e-6 + bytes / 5e9}, ""});
  }
  for (const double gb : {4, 8, 16})
    file.points.push_back(
        {"all_gather", {}, {{"bytes", gb * 1e9}, {"ranks", 8}}, {gb * 7 / 8 / 300}, ""});  // 300 GB/s: 12 channels of 25
  file.points.push_back({"overlap", {{"kernel", "gemm"}, {"mode", "alone"}}, {}, {1.0e-3}, ""});
  file.points.push_back({"overlap", {{"kernel", "gemm"}, {"mode", "with_all_reduce"}}, {}, {1.2e-3}, ""});
  const Calibration c = calibrate_gpu(file, {"base", gpu_preset(), gpu(), cluster});
  EXPECT_NEAR(value(c, "links.nvlink_efficiency"), 0.88, 0.005);
  EXPECT_NEAR(value(c, "links.pcie_efficiency"), 0.80, 0.005);
  EXPECT_NEAR(value(c, "nccl.intra_channel_bandwidth"), 25e9, 0.75e9);
  EXPECT_EQ(c.profile.words, (std::vector<std::pair<std::string, std::string>>{{"collective_sms", "22"}}));
  const Calibration logs_alone = calibrate_collectives(file, {"base", gpu_preset(), gpu(), cluster});
  EXPECT_NEAR(value(logs_alone, "nccl.intra_channel_bandwidth"), 25e9, 0.75e9);
  EXPECT_TRUE(std::isnan(value(logs_alone, "gemm.ceiling")));
  EXPECT_THROW(calibrate_collectives({}, {"base", gpu_preset(), gpu(), cluster}), std::invalid_argument);
}

}  // namespace
}  // namespace gridlock::calibrate
