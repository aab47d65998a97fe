// The parts of `gridlock calibrate`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "calibrate/profile/calibration.hpp"
#include "sim/cli/command.hpp"

namespace gridlock::cli {

void add_calibrate_fit_gemm(CLI::App& calibrate, Run& chosen);
void add_calibrate_import(CLI::App& calibrate, Run& chosen);

struct CalibrateOptions {
  std::string device;  // "cpu" or "cuda"
  std::string output;  // the profile; node and points lie beside it
  std::string points;  // fit these instead of measuring
  std::string preset;  // of a GPU: what the profile starts from
  std::string plan = "full";
  std::string blas;
  int threads = 0;
  int shapes = 100;
  bool verify = false, residuals = false, overwrite = false, json = false, quiet = false;
  std::uint64_t seed = 1;
  std::string command;  // as typed

  bool cpu() const { return device == "cpu"; }
};

// What is written: NAME.yaml, NAME.node.yaml, NAME.points.jsonl, NAME.verify.jsonl.
struct CalibrationFiles {
  std::string profile, node, points, verification, name;
};
CalibrationFiles calibration_files(const std::string& output);

// Measures (or reads points), fits, writes, reports. Returns the exit code.
int run_calibration(const CalibrateOptions& options);

// Measures shapes that the fit has not seen, and holds them against what the profile in `files` predicts.
struct Verification {
  std::string text;
  std::size_t shapes = 0;
  double median = 0, ninety = 0;  // of the magnitudes of relative errors
  bool good() const;              // at most 10 % and 25 %
};
Verification verify_cpu(const CalibrateOptions& options, const CalibrationFiles& files, int threads);

// The result for people, and as JSON (gridlock.calibration/1).
std::string calibration_text(const calibrate::Calibration& calibration, bool residuals);
nlohmann::ordered_json calibration_json(const calibrate::Calibration& calibration, const CalibrationFiles& files);

// Terms of two profiles side by side.
int diff_profiles(const std::string& a, const std::string& b, bool json);

// The profile or the GPU of that name or path, as a scenario would read it. Throw scenario::InvalidScenario.
model::Profile load_profile(const std::string& name);
topology::GpuSpec load_gpu(const std::string& name);

}  // namespace gridlock::cli
