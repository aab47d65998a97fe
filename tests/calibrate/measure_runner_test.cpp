#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <fstream>

#include "calibrate/measure/runner.hpp"
#include "tests/calibrate/test_devices.hpp"

namespace gridlock::calibrate::test {
namespace {

using ::testing::Test;

TEST_F(MeasureTest, SavesEveryPointInTheOrderOfThePlan) {
  plan({indexed("gemm", 1), indexed("gemm", 2), indexed("copy", 3)});
  const RunOutcome outcome = run_plan(child([](const Point& p, int) {
                                        return measured(p, {1e-3 * p.numbers.at("index"), 2e-3});
                                      }),
                                      request);
  EXPECT_EQ(outcome.measured, 3);
  EXPECT_EQ(outcome.failed + outcome.skipped, 0);
  EXPECT_FALSE(outcome.interrupted);
  const PointFile file = read_points(request.path);
  EXPECT_EQ(file.provenance, (Provenance{{"date", "2026-01-01"}, {"device", "Scripted 9000"}}));
  ASSERT_EQ(file.points.size(), 3u);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(file.points[i].numbers.at("index"), i + 1);
    EXPECT_EQ(file.points[i].seconds, (std::vector<double>{1e-3 * (i + 1), 2e-3}));
  }
  EXPECT_EQ(file.points[2].benchmark, "copy");
  EXPECT_NE(told.find("Scripted 9000: 3 points"), std::string::npos) << told;
  EXPECT_NE(told.find("3 points measured, 0 failed, 0 skipped"), std::string::npos) << told;
}

// The recording of a run, played back: the file of the second run holds the points of the first.
TEST_F(MeasureTest, ReplaysRecordedPoints) {
  plan({indexed("gemm", 1), indexed("copy", 2)});
  run_plan(child([](const Point& p, int) { return measured(p, {0.5, 0.25, 0.125}); }), request);
  const std::vector<Point> recorded = saved();
  request.path = path("replayed.jsonl");
  run_plan(child([recorded](const Point&, int call) { return recorded[static_cast<std::size_t>(call - 1)]; }), request);
  const std::vector<Point> replayed = saved();
  ASSERT_EQ(replayed.size(), recorded.size());
  for (std::size_t i = 0; i < recorded.size(); ++i) EXPECT_EQ(point_line(replayed[i]), point_line(recorded[i]));
}

TEST_F(MeasureTest, AFailureOnTheNthCallIsThatPointsError) {
  plan({indexed("gemm", 1), indexed("gemm", 2), indexed("gemm", 3)});
  const RunOutcome outcome = run_plan(child([](const Point& p, int call) {
                                        if (call == 2) throw DeviceError("cublasLtMatmul: CUBLAS_STATUS_NOT_SUPPORTED");
                                        return measured(p, {1});
                                      }),
                                      request);
  EXPECT_EQ(outcome.measured, 2);
  EXPECT_EQ(outcome.failed, 1);
  const std::vector<Point> points = saved();
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[1].error, "cublasLtMatmul: CUBLAS_STATUS_NOT_SUPPORTED");
  EXPECT_TRUE(points[1].seconds.empty());
  EXPECT_EQ(points[0].numbers.at("process"), points[2].numbers.at("process"));  // an ordinary error costs no restart
}

TEST_F(MeasureTest, AnUnusableDeviceIsOpenedAgainForTheNextPoint) {
  plan({indexed("gemm", 1), indexed("all_reduce", 2), indexed("gemm", 3)});
  run_plan(child([](const Point& p, int) {
             if (p.benchmark == "all_reduce") throw DeviceError("ncclAllReduce: unhandled cuda error", true);
             return measured(p, {1});
           }),
           request);
  const std::vector<Point> points = saved();
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[1].error, "ncclAllReduce: unhandled cuda error");
  EXPECT_EQ(points[2].error, "");
  EXPECT_NE(points[0].numbers.at("process"), points[2].numbers.at("process"));
}

TEST_F(MeasureTest, ACrashIsOnePointsError) {
  plan({indexed("gemm", 1), indexed("gemm", 2), indexed("gemm", 3)});
  const RunOutcome outcome = run_plan(child([](const Point& p, int) {
                                        if (p.numbers.at("index") == 2) ::raise(SIGKILL);
                                        return measured(p, {1});
                                      }),
                                      request);
  EXPECT_EQ(outcome.measured, 2);
  const std::vector<Point> points = saved();
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[1].error, "the measuring process ended: killed by signal 9 (Killed)");
}

TEST_F(MeasureTest, AHangEndsAtItsTimeLimit) {
  plan({indexed("gemm", 1, 0), indexed("copy", 2)});
  request.limits.point_floor_s = 0.3;
  run_plan(child([](const Point& p, int) {
             if (p.benchmark == "gemm") ::pause();
             return measured(p, {1});
           }),
           request);
  const std::vector<Point> points = saved();
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].error, "timed out after 0.3 s");
  EXPECT_EQ(points[1].seconds, std::vector<double>{1});
}

TEST_F(MeasureTest, ABenchmarkThatAlwaysHangsIsGivenUp) {
  plan({indexed("gemm", 1, 0), indexed("gemm", 2, 0), indexed("gemm", 3, 0), indexed("copy", 4)});
  request.limits.point_floor_s = 0.2;
  const RunOutcome outcome = run_plan(child([](const Point& p, int) {
                                        if (p.benchmark == "gemm") ::pause();
                                        return measured(p, {1});
                                      }),
                                      request);
  EXPECT_EQ(outcome.failed, 2);
  EXPECT_EQ(outcome.skipped, 1);
  EXPECT_EQ(outcome.measured, 1);
  EXPECT_EQ(saved()[2].error, "skipped: gemm cost the measuring process 2 times in a row");
}

TEST_F(MeasureTest, BeyondTheBudgetTheRestIsSkipped) {
  plan({indexed("gemm", 1), indexed("copy", 2)});
  request.limits.budget_s = -1;
  const RunOutcome outcome = run_plan(child([](const Point& p, int) { return measured(p, {1}); }), request);
  EXPECT_TRUE(outcome.nothing());
  EXPECT_EQ(outcome.skipped, 2);
  EXPECT_EQ(saved().size(), 2u);
}

TEST_F(MeasureTest, CtrlCKeepsWhatWasMeasured) {
  plan({indexed("gemm", 1), indexed("gemm", 2), indexed("gemm", 3)});
  const RunOutcome outcome = run_plan(child([](const Point& p, int call) {
                                        if (call == 2) {
                                          ::kill(::getppid(), SIGINT);
                                          ::pause();
                                        }
                                        return measured(p, {1});
                                      }),
                                      request);
  EXPECT_TRUE(outcome.interrupted);
  EXPECT_EQ(outcome.measured, 1);
  EXPECT_EQ(saved().size(), 1u);
  EXPECT_NE(told.find("interrupted"), std::string::npos);
}

TEST_F(MeasureTest, AMissingDeviceLeavesNoFile) {
  plan({indexed("gemm", 1)});
  const Child none = [](int socket) {
    return serve([]() -> std::unique_ptr<Device> { throw DeviceMissing("no NVIDIA driver is loaded"); }, socket);
  };
  try {
    run_plan(none, request);
    FAIL() << "a device that is not there was measured";
  } catch (const DeviceMissing& missing) {
    EXPECT_STREQ(missing.what(), "no NVIDIA driver is loaded");
  }
  EXPECT_FALSE(std::filesystem::exists(request.path));
}

TEST_F(MeasureTest, ADeviceThatNeverOpensIsMissing) {
  plan({indexed("gemm", 1)});
  EXPECT_THROW(run_plan([](int) { return 127; }, request), DeviceMissing);
  request.limits.start_s = 0.2;
  EXPECT_THROW(run_plan([](int) { return ::pause(); }, request), DeviceMissing);
  EXPECT_FALSE(std::filesystem::exists(request.path));
}

TEST_F(MeasureTest, ADeviceThatDoesNotComeBackEndsTheRunNotTheProgram) {
  plan({indexed("gemm", 1), indexed("copy", 2), indexed("copy", 3)});
  const std::string mark = path("opened");
  const auto crash = [](const Point&, int) -> Point { ::_exit(3); };
  const Child once = [&](int socket) {
    if (std::filesystem::exists(mark)) return 127;
    std::ofstream(mark) << "once";
    return child(crash)(socket);
  };
  const RunOutcome outcome = run_plan(once, request);
  EXPECT_EQ(outcome.failed, 1);
  EXPECT_EQ(outcome.skipped, 2);
  EXPECT_EQ(saved()[0].error, "the measuring process ended: exit status 3");
  EXPECT_EQ(
      saved()[2].error,
      "skipped: the device did not open again: the measuring process ended before it described its device: exit status 127");
}

TEST_F(MeasureTest, MeasuredPointsAreNotOverwritten) {
  plan({indexed("gemm", 1)});
  const Child device = child([](const Point& p, int) { return measured(p, {1}); });
  run_plan(device, request);
  EXPECT_THROW(run_plan(device, request), PointError);
  EXPECT_EQ(saved().size(), 1u);
}

TEST_F(MeasureTest, AFileThatCannotBeMadeIsTold) {
  plan({indexed("gemm", 1)});
  request.path = path("no/such/folder.jsonl");
  EXPECT_THROW(run_plan(child([](const Point& p, int) { return measured(p, {1}); }), request), PointError);
}

// A driver's message with quotes, newlines and bytes that are no UTF-8 comes through both JSON and the file.
TEST_F(MeasureTest, ErrorsOfAnyBytesAreSaved) {
  plan({indexed("gemm", 1)});
  run_plan(child([](const Point&, int) -> Point { throw DeviceError("a \"quoted\"\nline \xff"); }), request);
  EXPECT_EQ(saved()[0].error.substr(0, 15), "a \"quoted\"\nline");
}

}  // namespace
}  // namespace gridlock::calibrate::test
