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

namespace gridlock::cli {
namespace {

namespace fs = std::filesystem;

std::string today() { return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr))); }

void write_file(const std::string& path, const std::string& text) {
  Common common;
  common.output = path;
  write_output(common, text);
}

// Nothing is measured for minutes and then refused. With --overwrite the old files go first: a profile never lies beside points
// that are not its own, even when the measuring is interrupted.
void make_room(const CalibrationFiles& files, const CalibrateOptions& options) {
  std::vector<std::string> made{files.profile};
  if (options.cpu()) made.push_back(files.node);
  if (options.points.empty()) made.push_back(files.points);
  if (options.verify) made.push_back(files.verification);
  for (const std::string& file : made)
    if (!options.overwrite && fs::exists(file))
      throw UsageError(fmt::format("{} exists: name another profile, or add --overwrite to replace this calibration", file));
  for (const std::string& file : made) fs::remove(file);
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
    throw Interrupted(fmt::format("interrupted; what was measured is in {}", files.points));
  return calibrate::read_points(files.points);
}

calibrate::Calibration fit(const calibrate::PointFile& points, const CalibrateOptions& options, const CalibrationFiles& files) {
  const model::Profile preset = load_profile(options.cpu() ? "cpu" : options.preset);
  try {
    if (options.cpu()) return calibrate::calibrate_cpu(points, files.name, preset);
    return calibrate::calibrate_gpu(points, options.preset, preset, load_gpu(preset.gpu));
  } catch (const std::invalid_argument& error) {
    throw scenario::FileError(files.points, fmt::format("{}: cannot be fitted: {}", files.points, error.what()));
  }
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

int run_calibration(const CalibrateOptions& options) {
  CalibrationFiles files = calibration_files(options.output);
  make_room(files, options);
  if (!options.points.empty()) files.points = options.points;
  const calibrate::PointFile points = options.points.empty() ? measure(options, files) : calibrate::read_points(options.points);
  const calibrate::Calibration c = fit(points, options, files);
  write_file(files.profile, calibrate::profile_yaml(c.profile));
  if (c.host) write_file(files.node, calibrate::node_yaml(*c.host));

  std::string text = calibration_text(c, options.residuals);
  nlohmann::ordered_json json = calibration_json(c, files);
  int status = ExitCode::done;
  if (options.verify) {
    const Verification v = verify_cpu(options, files, c.host->threads);
    text += "\n" + v.text;
    json["verification"] = {{"shapes", v.shapes}, {"median", v.median}, {"p90", v.ninety}, {"good", v.good()}};
    if (!v.good()) status = ExitCode::expectation_failed;
  }
  text += how_to_use(files, c.host.has_value());
  Common common;
  common.json = options.json;
  deliver(common, text, json.dump(2) + "\n");
  return status;
}

}  // namespace gridlock::cli
