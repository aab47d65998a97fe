// The parts of `gridlock calibrate`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "calibrate/profile/calibration.hpp"
#include "sim/cli/command.hpp"

namespace gridlock::cli {

void add_calibrate_fit_collectives(CLI::App& calibrate, Run& chosen);
void add_calibrate_fit_gemm(CLI::App& calibrate, Run& chosen);
void add_calibrate_import(CLI::App& calibrate, Run& chosen);

struct CalibrateOptions {
  std::string device;   // "cpu" or "cuda"
  std::string output;   // the profile; node and points lie beside it
  std::string points;   // fit these instead of measuring
  std::string preset;   // of a GPU: what the profile starts from
  std::string cluster;  // of a GPU: the node that it sits in, so that links can be fitted
  std::string html;     // report to write
  std::string against;  // points that the fit does not see, to hold it against
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

// Refuses files of an earlier calibration unless --overwrite, which removes them.
void make_room(const std::vector<std::string>& files, bool overwrite);
// Runs `fit`; what the points cannot be fitted for is a failure of the file that they come from.
calibrate::Calibration fitted(const std::string& file, const std::function<calibrate::Calibration()>& fit);
// Writes the profile, prints the report. `text` and `json` may have more in them already.
void write_profile(const calibrate::Calibration& calibration, const std::string& file);

// Measures shapes that the fit has not seen, and holds them against what the profile in `files` predicts.
struct Verification {
  std::string text;
  nlohmann::ordered_json points = nlohmann::ordered_json::array();  // of objects: label, measured_s, predicted_s
  std::size_t shapes = 0;
  double median = 0, ninety = 0;  // of the magnitudes of relative errors
  bool good() const;              // at most 10 % and 25 %
};
// Points of matrix products held against a profile.
Verification judge(const std::vector<calibrate::Point>& products, calibrate::Statistic statistic, const model::Profile& profile,
                   const model::Device& device);
// The products of a file of points that the fit did not see. REQUIRES a roofline.
Verification verify_against(const std::string& points, const calibrate::Calibration& calibration, const CalibrationFiles& files);
Verification verify_cpu(const CalibrateOptions& options, const CalibrationFiles& files, int threads);

// The result for people, and as JSON (gridlock.calibration/1).
std::string calibration_text(const calibrate::Calibration& calibration, bool residuals);
nlohmann::ordered_json calibration_json(const calibrate::Calibration& calibration, const CalibrationFiles& files);

// A log of nccl-tests or rccl-tests as points. What the log says of its ranks counts; where it does not, what `given` says.
struct LogRanks {
  int ranks = 0, nodes = 0, gpus_per_process = 0;  // 0: not known
};
void add_log_options(CLI::App& command, LogRanks& ranks);
// Throws scenario::FileError when there is no table, UsageError when the ranks are neither listed nor given.
std::vector<calibrate::Point> points_of_log(const std::string& text, const std::string& file, const LogRanks& given);

// A node of the catalogue, a file that is a node, or a scenario's cluster, with the preset's profile. Throws scenario::FileError,
// scenario::InvalidScenario.
topology::ClusterSpec load_machine(const std::string& cluster, const std::string& preset);

// The report as one HTML file. `points`: all that was measured. `verified`: unseen shapes, or null.
void write_calibration_page(const std::string& file, const calibrate::Calibration& calibration,
                            const calibrate::PointFile& points, const CalibrationFiles& files,
                            const nlohmann::ordered_json& verified);

// Terms of two profiles side by side.
int diff_profiles(const std::string& a, const std::string& b, bool json);

// The profile or the GPU of that name or path, as a scenario would read it. Throw scenario::InvalidScenario.
model::Profile load_profile(const std::string& name);
topology::GpuSpec load_gpu(const std::string& name);

}  // namespace gridlock::cli
