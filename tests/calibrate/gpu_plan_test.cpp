#include "calibrate/measure/gpu_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "calibrate/measure/gemm_shapes.hpp"

namespace gridlock::calibrate {
namespace {

Description h200(int devices) {
  Description d;
  d.name = "NVIDIA H200";
  d.dtypes = {"bf16", "fp16", "fp8", "tf32", "fp32"};
  d.devices = devices;
  d.memory_bytes = 140e9;
  return d;
}

std::set<std::string> benchmarks(const Plan& plan) {
  std::set<std::string> names;
  for (const PlannedPoint& planned : plan) names.insert(planned.point.benchmark);
  return names;
}

TEST(GpuPlan, TheFullOneIsExpectedToTakeUnderSixMinutesOnOneDevice) {
  EXPECT_LT(expected_seconds(make_gpu_plan(GpuPlan::full, h200(1))), 360);
  EXPECT_LT(expected_seconds(make_gpu_plan(GpuPlan::quick, h200(1))), 60);
  EXPECT_LT(expected_seconds(make_gpu_plan(GpuPlan::held_out, h200(1))), 60);
}

TEST(GpuPlan, NoPointTwice) {
  for (const GpuPlan kind : {GpuPlan::quick, GpuPlan::full, GpuPlan::held_out}) {
    std::set<std::string> lines;
    const Plan plan = make_gpu_plan(kind, h200(8));
    for (const PlannedPoint& planned : plan)
      EXPECT_TRUE(lines.insert(point_line(planned.point)).second) << point_line(planned.point);
    EXPECT_FALSE(plan.empty());
  }
}

TEST(GpuPlan, OneGpuHasNoFabric) {
  const std::set<std::string> alone = benchmarks(make_gpu_plan(GpuPlan::full, h200(1)));
  EXPECT_EQ(alone, (std::set<std::string>{"gemm", "attention", "softmax", "copy", "scale", "triad", "launch", "host_copy",
                                          "overlap", "sustained"}));
  std::set<std::string> fabric = alone;
  fabric.insert({"peer_copy", "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "sendrecv"});
  EXPECT_EQ(benchmarks(make_gpu_plan(GpuPlan::full, h200(8))), fabric);
}

// Peer copies: every ordered pair. Collectives: 2, 4, ... ranks and all of them, 8 B to 8 GiB.
TEST(GpuPlan, FabricOfSixGpus) {
  std::set<std::pair<double, double>> pairs;
  std::set<double> ranks, sizes;
  for (const PlannedPoint& planned : make_gpu_plan(GpuPlan::full, h200(6))) {
    const std::map<std::string, double>& numbers = planned.point.numbers;
    if (planned.point.benchmark == "peer_copy") pairs.insert({numbers.at("from"), numbers.at("to")});
    if (planned.point.benchmark != "all_reduce") continue;
    ranks.insert(numbers.at("ranks"));
    sizes.insert(numbers.at("bytes"));
  }
  EXPECT_EQ(pairs.size(), 6u * 5u);
  EXPECT_EQ(ranks, (std::set<double>{2, 4, 6}));
  EXPECT_EQ(*sizes.begin(), 8);
  EXPECT_EQ(*sizes.rbegin(), 8.0 * 1024 * 1024 * 1024);
}

TEST(GpuPlan, SmallMemoryDropsTheLargePoints) {
  Description small = h200(2);
  small.memory_bytes = 8e9;
  for (const PlannedPoint& planned : make_gpu_plan(GpuPlan::full, small)) {
    const auto bytes = planned.point.numbers.find("bytes");
    if (bytes != planned.point.numbers.end() && planned.point.benchmark != "softmax") {
      EXPECT_LT(bytes->second, 0.4 * 8e9);
    }
  }
}

TEST(GpuPlan, TypesThatTheDeviceHasNotAreLeftOut) {
  Description a100 = h200(1);
  a100.dtypes = {"bf16", "fp16", "tf32", "fp32"};
  for (const PlannedPoint& planned : make_gpu_plan(GpuPlan::full, a100))
    if (planned.point.benchmark == "gemm") {
      EXPECT_NE(planned.point.labels.at("dtype"), "fp8");
    }
}

// Shapes for judging a fit must be news to it.
TEST(GpuPlan, HeldOutShapesAreInNoOtherPlan) {
  const std::vector<Shape> unseen = held_out_shapes();
  EXPECT_EQ(unseen.size(), 30u);
  std::set<std::string> seen;
  for (const GpuPlan kind : {GpuPlan::quick, GpuPlan::full})
    for (const PlannedPoint& planned : make_gpu_plan(kind, h200(1))) seen.insert(point_line(planned.point));
  for (const PlannedPoint& planned : make_gpu_plan(GpuPlan::held_out, h200(1)))
    EXPECT_EQ(seen.count(point_line(planned.point)), 0u);
  // cuBLASLt takes 8-bit operands only in multiples of 16.
  for (const Shape& s : unseen) EXPECT_EQ((s.m | s.n | s.k) % 16, 0);
}

// h = 8192, f = 28672 over 8 ranks: QKV n = 3 * 8192 / 8 = 3072, MLP 28672 / 8 = 3584.
TEST(GpuPlan, ShapesOfALayer) {
  EXPECT_EQ(layer_shapes(2048, 8192, 28672, 8),
            (std::vector<Shape>{{2048, 3072, 8192}, {2048, 8192, 1024}, {2048, 3584, 8192}, {2048, 8192, 3584}}));
}

TEST(GpuPlan, OnlySomeBenchmarks) {
  const Plan plan = make_gpu_plan(GpuPlan::full, h200(1));
  EXPECT_EQ(benchmarks(only(plan, {"copy", "launch"})), (std::set<std::string>{"copy", "launch"}));
  EXPECT_EQ(only(plan, {}).size(), plan.size());
  EXPECT_THROW(only(plan, {"all_reduce"}), std::invalid_argument);
}

TEST(GpuPlan, Names) {
  EXPECT_EQ(gpu_plan_named("held-out"), GpuPlan::held_out);
  EXPECT_THROW(gpu_plan_named("fast"), std::invalid_argument);
}

}  // namespace
}  // namespace gridlock::calibrate
