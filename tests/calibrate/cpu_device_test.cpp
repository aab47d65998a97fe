// This host as a device. Times are not judged: only that there are some, and that the library computes what it is asked.
#include "calibrate/cpu/cpu_device.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "calibrate/cpu/cpu_plan.hpp"

namespace gridlock::calibrate {
namespace {

Point product(double m, double n, double k, const std::string& dtype = "fp32") {
  return {"gemm", {{"dtype", dtype}}, {{"m", m}, {"n", n}, {"k", k}, {"batch", 1}}, {}, not_measured};
}

// (1 2 3; 4 5 6) (1 0; 0 1; 1 1) = (4 5; 10 11).
TEST(CpuDevice, TheLibraryMultiplies) {
  const Blas blas;
  const float a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 0, 0, 1, 1, 1};
  float c[4] = {};
  blas.multiply(2, 2, 3, a, b, c);
  EXPECT_EQ(std::vector<float>(c, c + 4), (std::vector<float>{4, 5, 10, 11}));
  const double x[] = {2}, y[] = {3};
  double z[1] = {};
  blas.multiply(1, 1, 1, x, y, z);
  EXPECT_EQ(z[0], 6);
}

TEST(CpuDevice, MeasuresEveryBenchmarkThatItNames) {
  CpuDevice device({.blas = "", .threads = 1});
  const Description d = device.describe();
  EXPECT_EQ(d.provenance.at("threads"), "1");
  EXPECT_GT(d.memory_bytes, 0);
  for (const std::string& benchmark : d.benchmarks) {
    Point planned = product(16, 16, 16);
    planned.benchmark = benchmark;
    if (benchmark != "gemm") planned.numbers = {{"bytes", 1e6}};
    const Point measured = device.measure(planned);
    EXPECT_EQ(measured.error, "") << benchmark;
    EXPECT_GE(measured.seconds.size(), 3u) << benchmark;
    for (const double seconds : measured.seconds) EXPECT_GT(seconds, 0) << benchmark;
  }
  EXPECT_EQ(device.measure(product(8, 8, 8, "fp64")).error, "");
}

TEST(CpuDevice, WhatItCannotDoIsAnErrorOfThePoint) {
  CpuDevice device({.blas = "", .threads = 1});
  EXPECT_THROW(device.measure(product(0, 1, 1)), DeviceError);
  EXPECT_THROW(device.measure(product(1.5, 1, 1)), DeviceError);
  EXPECT_THROW(device.measure(product(1e6, 1e6, 1)), DeviceError);
  EXPECT_THROW(device.measure(product(8, 8, 8, "bf16")), DeviceError);
  EXPECT_THROW(device.measure({"copy", {}, {{"bytes", 0}}, {}, ""}), DeviceError);
  EXPECT_THROW(device.measure({"all_reduce", {}, {{"bytes", 8}}, {}, ""}), DeviceError);
}

TEST(CpuDevice, ALibraryThatIsNotThereIsAMissingDevice) {
  EXPECT_THROW(Blas("/nonexistent/libblas.so"), DeviceMissing);
  EXPECT_THROW(Blas("libc.so.6"), DeviceMissing);  // a library, but no BLAS
}

std::set<std::map<std::string, double>> shapes(const Plan& plan) {
  std::set<std::map<std::string, double>> found;
  for (const PlannedPoint& p : plan)
    if (p.point.benchmark == "gemm") found.insert(p.point.numbers);
  return found;
}

TEST(CpuPlan, UnseenShapesAreUnseen) {
  Description machine;
  machine.memory_bytes = 16e9;
  const CpuPlan plan{.shapes = 50, .rounds = 3, .seed = 4};
  const auto seen = shapes(cpu_plan(plan, machine)), unseen = shapes(unseen_cpu_plan(plan, 30));
  EXPECT_EQ(seen.size(), 50u);
  EXPECT_EQ(unseen.size(), 30u);
  for (const auto& shape : unseen) EXPECT_FALSE(seen.contains(shape));
}

// A host with little memory is measured with the arrays that fit; the same seed plans the same.
TEST(CpuPlan, FollowsMemoryAndSeed) {
  Description small, large;
  small.memory_bytes = 1e8;
  large.memory_bytes = 1e11;
  EXPECT_LT(cpu_plan({}, small).size(), cpu_plan({}, large).size());
  EXPECT_EQ(shapes(cpu_plan({}, large)), shapes(cpu_plan({}, large)));
  EXPECT_NE(shapes(cpu_plan({.seed = 2}, large)), shapes(cpu_plan({.seed = 3}, large)));
}

}  // namespace
}  // namespace gridlock::calibrate
