// gridlock calibrate --device cpu|cuda: measure, fit, write, report, verify.

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <filesystem>

#include "calibrate/cpu/cpu_device.hpp"
#include "calibrate/cpu/cpu_plan.hpp"
#include "calibrate/measure/cuda_child.hpp"
#include "calibrate/measure/gpu_plan.hpp"
#include "calibrate/measure/runner.hpp"
#include "sim/cli/calibrate_commands.hpp"
#include "sim/cli/exit_codes.hpp"
#include "sim/report/version.hpp"
#include "sim/scenario/diagnostic.hpp"
#include "topology/error.hpp"

namespace gridlock::cli {
namespace {

namespace fs = std::filesystem;

std::string today() { return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr))); }

std::vector<std::string> files_made(const CalibrationFiles& files, const CalibrateOptions& options) {
  std::vector<std::string> made{files.profile};
  if (options.cpu()) made.push_back(files.node);
  if (options.points.empty()) made.push_back(files.points);
  if (options.verify) made.push_back(files.verification);
  return made;
}

calibrate::PointFile measure(const CalibrateOptions& options, const CalibrationFiles& files) {
  calibrate::RunRequest request;
  request.path = files.points;
  request.provenance = {{"date", today()}, {"command", options.command}, {"gridlock", report::version()}};
  request.tell = [&](const std::string& line) {
    if (!options.quiet) tell(line);
  };
  if (options.cpu()) {
    const calibrate::CpuPlan plan{.shapes = options.shapes, .seed = options.seed};
    request.plan = [plan](const calibrate::Description& machine) { return calibrate::cpu_plan(plan, machine); };
  } else {
    const calibrate::GpuPlan plan = calibrate::gpu_plan_named(options.plan);
    request.plan = [plan](const calibrate::Description& machine) { return calibrate::make_gpu_plan(plan, machine); };
  }
  const calibrate::Child child = options.cpu() ? calibrate::cpu_child({options.blas, options.threads}) : calibrate::cuda_child();
  if (calibrate::run_plan(child, request).interrupted)
    throw Interrupted(fs::exists(files.points) ? fmt::format("interrupted; what was measured is in {}", files.points)
                                               : "interrupted before anything was measured");
  return calibrate::read_points(files.points);
}

calibrate::Calibration fit(const calibrate::PointFile& points, const CalibrateOptions& options, const CalibrationFiles& files) {
  const model::Profile preset = load_profile(options.cpu() ? "cpu" : options.preset);
  calibrate::GpuSetting setting;
  setting.base = options.preset;
  setting.preset = preset;
  if (!options.cpu()) setting.gpu = load_gpu(preset.gpu);
  if (!options.cluster.empty()) setting.cluster = load_machine(options.cluster, options.preset);
  return fitted(files.points, [&] {
    return options.cpu() ? calibrate::calibrate_cpu(points, files.name, preset) : calibrate::calibrate_gpu(points, setting);
  });
}

std::string how_to_use(const CalibrationFiles& files, bool with_node) {
  if (!with_node)
    return fmt::format("\nwrote {}, from {}\nuse: gridlock run SCENARIO --profile {}\n", files.profile, files.points,
                       files.profile);
  return fmt::format(
      "\nwrote {} and {}, from {}\nuse: gridlock run scenarios/matmul/cpu.yaml --profile {} --set cluster.node={}\n",
      files.profile, files.node, files.points, files.profile, files.node);
}

}  // namespace

void make_room(const std::vector<std::string>& files, bool overwrite) {
  for (const std::string& file : files) {
    std::error_code error;
    if (!overwrite && fs::exists(file, error))
      throw UsageError(fmt::format("{} exists: name another profile, or add --overwrite to replace this calibration", file));
    const fs::path folder = fs::path(file).parent_path();
    if (!folder.empty() && !fs::is_directory(folder, error))
      throw scenario::FileError(file, fmt::format("cannot write {}: there is no folder {}", file, folder.string()));
  }
  for (const std::string& file : files) {
    std::error_code error;
    fs::remove(file, error);
    if (error) throw scenario::FileError(file, fmt::format("cannot replace {}: {}", file, error.message()));
  }
}

calibrate::Calibration fitted(const std::string& file, const std::function<calibrate::Calibration()>& fit) {
  try {
    return fit();
  } catch (const std::invalid_argument& error) {
    throw scenario::FileError(file, fmt::format("{}: cannot be fitted: {}", file, error.what()));
  } catch (const topology::SpecError& error) {
    throw UsageError(fmt::format("--cluster: {}: {}; {}", error.path, error.what(), error.help));
  }
}

void write_profile(const calibrate::Calibration& calibration, const std::string& file) {
  Common common;
  common.output = file;
  write_output(common, calibrate::profile_yaml(calibration.profile));
}

int run_calibration(const CalibrateOptions& options) {
  CalibrationFiles files = calibration_files(options.output);
  if (!options.cpu()) (void)load_gpu(load_profile(options.preset).gpu);  // mistakes before minutes of measuring
  if (!options.cluster.empty()) (void)load_machine(options.cluster, options.preset);
  if (!options.against.empty()) (void)calibrate::read_points(options.against);
  if (const fs::path folder = fs::path(options.html).parent_path(); !folder.empty() && !fs::is_directory(folder))
    throw scenario::FileError(options.html, fmt::format("cannot write {}: there is no folder {}", options.html, folder.string()));
  // With --overwrite the old files go first: a profile never lies beside points that are not its own, even when the measuring is
  // interrupted.
  make_room(files_made(files, options), options.overwrite);
  if (!options.points.empty()) files.points = options.points;
  const calibrate::PointFile points = options.points.empty() ? measure(options, files) : calibrate::read_points(options.points);
  const calibrate::Calibration c = fit(points, options, files);
  write_profile(c, files.profile);
  if (c.host) {
    Common common;
    common.output = files.node;
    write_output(common, calibrate::node_yaml(*c.host));
  }

  std::string text = calibration_text(c, options.residuals);
  nlohmann::ordered_json json = calibration_json(c, files);
  nlohmann::ordered_json verified;
  int status = ExitCode::done;
  if (options.verify || !options.against.empty()) {
    const Verification v =
        options.verify ? verify_cpu(options, files, c.host->threads) : verify_against(options.against, c, files);
    text += "\n" + v.text;
    json["verification"] = {{"shapes", v.shapes}, {"median", v.median}, {"p90", v.ninety}, {"good", v.good()}};
    verified = json["verification"];
    verified["points"] = v.points;
    if (!v.good()) status = ExitCode::expectation_failed;
  }
  if (!options.html.empty()) write_calibration_page(options.html, c, points, files, verified);
  text += how_to_use(files, c.host.has_value());
  Common common;
  common.json = options.json;
  deliver(common, text, json.dump(2) + "\n");
  return status;
}

}  // namespace gridlock::cli
