// The GPU benchmarks on doubles of CUDA, cuBLASLt and NCCL (fake_cuda.hpp): times against those that the double's speeds imply.
#include "calibrate/gpu/benchmarks.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "calibrate/gpu/cuda_device.hpp"
#include "calibrate/measure/gpu_plan.hpp"
#include "tests/calibrate/gpu/fake_cuda.hpp"
#include "tests/calibrate/test_devices.hpp"

namespace gridlock::calibrate::gpu {
namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.at(values.size() / 2);
}

Point measured(const PlannedPoint& planned) { return open_cuda_device()->measure(planned.point); }

class GpuBenchmarks : public ::testing::Test {
 protected:
  void SetUp() override { fake::reset({}); }
  void TearDown() override {
    EXPECT_EQ(fake::alive(), 0) << "left behind";
    EXPECT_EQ(fake::complaints(), "");
  }
};

// Every benchmark of the check plan, on one GPU and on four: measured, in bounds of its memory, and nothing left behind.
class CheckPlan : public GpuBenchmarks, public ::testing::WithParamInterface<int> {};

TEST_P(CheckPlan, EveryPointIsMeasured) {
  fake::Setting setting;
  setting.devices = GetParam();
  fake::reset(setting);
  const std::unique_ptr<Device> device = open_cuda_device();
  const Description machine = device->describe();
  EXPECT_EQ(machine.devices, GetParam());
  for (const PlannedPoint& planned : make_gpu_plan(GpuPlan::check, machine)) {
    if (planned.point.benchmark == "fault") continue;
    const Point point = device->measure(planned.point);
    EXPECT_EQ(point.error, "") << describe(planned.point);
    EXPECT_GE(point.seconds.size(), 7u) << describe(planned.point);
    EXPECT_GT(*std::min_element(point.seconds.begin(), point.seconds.end()), 0) << describe(planned.point);
    EXPECT_EQ(fake::complaints(), "") << describe(planned.point);
  }
}
INSTANTIATE_TEST_SUITE_P(OneAndFourGpus, CheckPlan, ::testing::Values(1, 4));

TEST_F(GpuBenchmarks, TheDescriptionSaysWhatCannotBeMeasuredOnOneGpu) {
  const Description machine = open_cuda_device()->describe();
  EXPECT_EQ(machine.name, "Fake GPU");
  EXPECT_EQ(machine.dtypes, (std::vector<std::string>{"bf16", "fp16", "fp8", "tf32", "fp32"}));
  EXPECT_EQ(machine.provenance.at("nccl"), "2.28.9");
  EXPECT_EQ(machine.provenance.at("cuda"), "13.0");
  const bool said = std::any_of(machine.limits.begin(), machine.limits.end(),
                                [](const std::string& limit) { return limit.find("one GPU: links between GPUs") == 0; });
  EXPECT_TRUE(said);
}

// 2 * 4096^3 / 500e12 + 2 us = 276.9 us.
TEST_F(GpuBenchmarks, AGemmTakesWhatTheDeviceTakes) {
  const Point point = measured(planned("gemm", {{"dtype", "bf16"}}, {{"m", 4096}, {"n", 4096}, {"k", 4096}, {"batch", 1}}, 0));
  EXPECT_NEAR(median(point.seconds), 2.0 * 4096 * 4096 * 4096 / 500e12 + 2e-6, 1e-8);
}

// A kernel of 2 us: batches as graphs show its time and not that of its launch by the host.
TEST_F(GpuBenchmarks, ShortKernelsAreTimedWithoutTheirLaunch) {
  const Point point = measured(planned("gemm", {{"dtype", "fp8"}}, {{"m", 64}, {"n", 64}, {"k", 64}, {"batch", 1}}, 0));
  EXPECT_NEAR(median(point.seconds), 2.0 * 64 * 64 * 64 / 500e12 + 2e-6, 1e-8);
}

// Triad of 96 MiB: 96 * 2^20 / 4e12 + 2 us.
TEST_F(GpuBenchmarks, BytesOfStreamsAreReadAndWritten) {
  const double bytes = 96.0 * 1024 * 1024;
  for (const char* kernel : {"copy", "scale", "triad"})
    EXPECT_NEAR(median(measured(planned(kernel, {}, {{"bytes", bytes}}, 0)).seconds), bytes / 4e12 + 2e-6, 1e-8) << kernel;
}

// 8 sequences x heads of 1024 x 1024 scores, k = 128: 8 * 2 * 1024^2 * 128 / 500e12 + 2 us.
TEST_F(GpuBenchmarks, AttentionIsABatchedGemm) {
  const Point point = measured(
      planned("attention", {{"dtype", "bf16"}, {"part", "scores"}}, {{"batch", 8}, {"m", 1024}, {"n", 1024}, {"k", 128}}, 0));
  EXPECT_NEAR(median(point.seconds), 8 * 2.0 * 1024 * 1024 * 128 / 500e12 + 2e-6, 1e-8);
}

// The fake slows kernels by 1.25 beside work of high priority.
TEST_F(GpuBenchmarks, OverlapSlowsTheKernelAndNotTheKernelAlone) {
  fake::Setting two;
  two.devices = 2;
  fake::reset(two);
  const auto overlap = [](const char* mode) {
    return median(measured(planned("overlap", {{"kernel", "gemm"}, {"mode", mode}}, {{"size", 2048}}, 0)).seconds);
  };
  const double alone = overlap("alone");
  EXPECT_NEAR(overlap("with_all_reduce") / alone, 1.25, 1e-3);
  EXPECT_NEAR(overlap("with_copy") / alone, 1.25, 1e-3);
}

// Slowed 100-fold, the kernels outlive what was enqueued beside them: an error, not a number.
TEST_F(GpuBenchmarks, ABackgroundThatEndsTooEarlyIsAnError) {
  fake::Setting slow;
  slow.background_slowdown = 100;
  fake::reset(slow);
  const PlannedPoint point = planned("overlap", {{"kernel", "gemm"}, {"mode", "with_copy"}}, {{"size", 1024}}, 0);
  EXPECT_THROW(measured(point), DeviceError);
}

TEST_F(GpuBenchmarks, CollectivesCarryNcclsEstimateAndTheBytesTheyRan) {
  fake::Setting six;
  six.devices = 6;
  fake::reset(six);
  // 100 bytes over 6 ranks: 4 elements each, 96 bytes.
  const Point gather = measured(planned("all_gather", {}, {{"ranks", 6}, {"bytes", 100}}, 0));
  EXPECT_EQ(gather.numbers.at("bytes"), 96);
  EXPECT_NEAR(gather.numbers.at("estimate_s"), 12.5e-6, 1e-12);
  const Point all_to_all = measured(planned("all_to_all", {}, {{"ranks", 3}, {"bytes", 12e6}}, 0));
  EXPECT_EQ(all_to_all.numbers.count("estimate_s"), 0u);  // NCCL has none for sends and receives
  EXPECT_THROW(measured(planned("all_reduce", {}, {{"ranks", 7}, {"bytes", 100}}, 0)), DeviceError);
}

TEST_F(GpuBenchmarks, PeerCopiesNeedTwoGpus) {
  EXPECT_THROW(measured(planned("peer_copy", {}, {{"from", 0}, {"to", 1}, {"bytes", 64}}, 0)), DeviceError);
  EXPECT_THROW(measured(planned("peer_copy", {}, {{"from", 0}, {"to", 0}, {"bytes", 64}}, 0)), DeviceError);
}

TEST_F(GpuBenchmarks, PointsThatNameNothingMeasurableAreRefused) {
  EXPECT_THROW(measured(planned("sort", {}, {}, 0)), DeviceError);
  EXPECT_THROW(measured(planned("gemm", {{"dtype", "int4"}}, {{"m", 64}, {"n", 64}, {"k", 64}, {"batch", 1}}, 0)), DeviceError);
  EXPECT_THROW(measured(planned("gemm", {{"dtype", "bf16"}}, {{"m", 64}, {"n", 64}, {"k", 64}}, 0)), DeviceError);
  EXPECT_THROW(measured(planned("gemm", {{"dtype", "bf16"}}, {{"m", 0.5}, {"n", 64}, {"k", 64}, {"batch", 1}}, 0)), DeviceError);
  EXPECT_THROW(measured(planned("overlap", {{"kernel", "gemm"}, {"mode", "with_all_reduce"}}, {{"size", 64}}, 0)), DeviceError);
}

TEST_F(GpuBenchmarks, NoDriverIsAMissingDevice) {
  fake::Setting none;
  none.driver = false;
  fake::reset(none);
  EXPECT_THROW(open_cuda_device(), DeviceMissing);
}

TEST_F(GpuBenchmarks, TypesFollowTheComputeCapability) {
  fake::Setting a100;
  a100.compute_capability = 80;
  fake::reset(a100);
  EXPECT_EQ(open_cuda_device()->describe().dtypes, (std::vector<std::string>{"bf16", "fp16", "tf32", "fp32"}));
  a100.compute_capability = 75;
  fake::reset(a100);
  EXPECT_THROW(open_cuda_device(), DeviceMissing);
}

struct Failure {
  const char* function;
  int nth, code;
  PlannedPoint point;
  const char* says;
  bool unusable;
};

// Each call that can fail, failing: the error names the call, and everything that was made is destroyed.
TEST_F(GpuBenchmarks, FailingCallsAreToldByName) {
  const PlannedPoint gemm = planned("gemm", {{"dtype", "bf16"}}, {{"m", 256}, {"n", 256}, {"k", 256}, {"batch", 1}}, 0);
  const PlannedPoint all_reduce = planned("all_reduce", {}, {{"ranks", 2}, {"bytes", 1024}}, 0);
  const PlannedPoint copy = planned("copy", {}, {{"bytes", 1e6}}, 0);
  const Failure failures[] = {
      {"cudaMalloc", 1, cudaErrorMemoryAllocation, gemm, "cudaMalloc: out of memory", false},
      {"fill_random", 2, cudaErrorInvalidConfiguration, gemm, "fill_random", false},
      {"cublasLtMatmulAlgoGetHeuristic", 1, CUBLAS_STATUS_NOT_SUPPORTED, gemm, "CUBLAS_STATUS_NOT_SUPPORTED", false},
      {"cublasLtMatmul", 1, CUBLAS_STATUS_EXECUTION_FAILED, gemm, "cublasLtMatmul", true},
      {"cublasLtMatmul", 5, CUBLAS_STATUS_NOT_SUPPORTED, gemm, "cublasLtMatmul", false},  // while a graph is recorded
      {"cudaGraphInstantiate", 1, cudaErrorMemoryAllocation, copy, "cudaGraphInstantiate", false},
      {"cudaGraphLaunch", 3, cudaErrorLaunchFailure, copy, "cudaGraphLaunch", true},
      {"cudaEventElapsedTime", 2, cudaErrorNotReady, copy, "cudaEventElapsedTime", false},
      {"ncclCommInitAll", 1, ncclSystemError, all_reduce, "ncclCommInitAll", true},
      {"ncclAllReduce", 2, ncclInvalidArgument, all_reduce, "ncclAllReduce", false},
      {"ncclGroupEnd", 4, ncclRemoteError, all_reduce, "ncclGroupEnd: remote process exited", true},
      {"ncclGroupSimulateEnd", 1, ncclInternalError, all_reduce, "ncclGroupSimulateEnd", true},
  };
  for (const Failure& failure : failures) {
    fake::Setting two;
    two.devices = 2;
    fake::reset(two);
    const std::unique_ptr<Device> device = open_cuda_device();
    fake::fail(failure.function, failure.nth, failure.code);
    try {
      device->measure(failure.point.point);
      ADD_FAILURE() << failure.function << " failed and nobody noticed";
    } catch (const DeviceError& error) {
      EXPECT_NE(std::string(error.what()).find(failure.says), std::string::npos) << error.what();
      EXPECT_EQ(error.unusable, failure.unusable) << error.what();
    }
    if (!failure.unusable) {
      EXPECT_GE(device->measure(failure.point.point).seconds.size(), 7u) << "after " << failure.function;
    }
  }
}

// The faults of calibrate/gpu/check.sh, through the runner: each told, and the GEMM after each measured.
class GpuFaults : public test::MeasureTest {};

TEST_F(GpuFaults, AreToldAndSurvived) {
  fake::reset({});
  request.plan = [](const Description& machine) {
    const Plan check = make_gpu_plan(GpuPlan::check, machine);
    const auto first =
        std::find_if(check.begin(), check.end(), [](const PlannedPoint& p) { return p.point.benchmark == "fault"; });
    return Plan(first, check.end());
  };
  request.limits.point_floor_s = 3;
  const RunOutcome outcome = run_plan([](int socket) { return serve(open_cuda_device, socket); }, request);
  EXPECT_EQ(outcome.failed, 5);
  EXPECT_EQ(outcome.measured, 5);
  EXPECT_EQ(outcome.skipped, 0);
  const std::vector<Point> points = saved();
  ASSERT_EQ(points.size(), 10u);
  const char* says[] = {"cudaMalloc: out of memory", "cudaMemcpyAsync", "ncclCommInitAll: invalid usage", "cudaStreamSynchronize",
                        "timed out after 3 s"};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NE(points[2 * i].error.find(says[i]), std::string::npos) << points[2 * i].error;
    EXPECT_EQ(points[2 * i + 1].error, "");
  }
}

}  // namespace
}  // namespace gridlock::calibrate::gpu
