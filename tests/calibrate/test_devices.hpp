// Devices that behave as told: what a GPU does on its worst days, without one.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "calibrate/measure/device.hpp"
#include "calibrate/measure/plan.hpp"
#include "calibrate/measure/runner.hpp"
#include "calibrate/measure/serve.hpp"

namespace gridlock::calibrate::test {

// `behaviour` is what measure() does with the planned point and the number of the call (from 1 in each process).
class ScriptedDevice : public Device {
 public:
  using Behaviour = std::function<Point(const Point&, int call)>;
  explicit ScriptedDevice(Behaviour behaviour) : behaviour_(std::move(behaviour)) {}

  Description describe() override {
    Description d;
    d.name = "Scripted 9000";
    d.provenance = {{"device", "Scripted 9000"}};
    d.benchmarks = {"gemm", "copy"};
    return d;
  }
  Point measure(const Point& planned) override { return behaviour_(planned, ++calls_); }

 private:
  Behaviour behaviour_;
  int calls_ = 0;
};

// `times` as if measured; the process that measured it is told, to see restarts.
inline Point measured(Point planned, std::vector<double> times) {
  planned.seconds = std::move(times);
  planned.error.clear();
  planned.numbers["process"] = ::getpid();
  return planned;
}

inline Child child(ScriptedDevice::Behaviour behaviour) {
  return [behaviour](int socket) { return serve([&] { return std::make_unique<ScriptedDevice>(behaviour); }, socket); };
}

// A point of benchmark `name` whose number "index" tells it from the others. `expected_s` 0: no more time than the limits' floor.
inline PlannedPoint indexed(const std::string& name, int index, double expected_s = 1) {
  return planned(name, {}, {{"index", index}}, expected_s);
}

class MeasureTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("gridlock-measure-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    request.path = path("points.jsonl");
    request.provenance = {{"date", "2026-01-01"}};
    request.limits.point_floor_s = 20;
    request.tell = [this](const std::string& text) { told += text; };
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }
  void plan(Plan points) {
    request.plan = [points](const Description&) { return points; };
  }
  std::vector<Point> saved() const { return read_points(request.path).points; }

  RunRequest request;
  std::string told;

 private:
  std::filesystem::path folder_;
};

}  // namespace gridlock::calibrate::test
