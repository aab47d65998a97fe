// The loop closed: shapes that the fit has not seen, measured again and simulated by the profile that was written.

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "calibrate/cpu/cpu_device.hpp"
#include "calibrate/cpu/cpu_plan.hpp"
#include "calibrate/fit/gemm_point.hpp"
#include "calibrate/measure/runner.hpp"
#include "calibrate/report/accuracy.hpp"
#include "sim/cli/calibrate_commands.hpp"
#include "sim/scenario/load.hpp"

namespace gridlock::cli {
namespace {

constexpr int unseen_shapes = 30;
constexpr double good_median = 0.10, good_ninety = 0.25;

std::string quoted_path(const std::string& path) { return nlohmann::json(std::filesystem::absolute(path).string()).dump(); }

// Through the files, as any scenario reads them.
scenario::Scenario load_host(const CalibrationFiles& files) {
  const std::string text =
      fmt::format("cluster: {{nodes: 1, node: {}}}\nprofile: {}\n", quoted_path(files.node), quoted_path(files.profile));
  return scenario::load_cluster(std::make_shared<const scenario::Source>(scenario::Source{"--verify", text}));
}

Verification judge_file(const std::string& file, const std::string& dtype, calibrate::Statistic statistic,
                        const scenario::Scenario& machine) {
  const std::vector<calibrate::Point> products =
      calibrate::select(calibrate::read_points(file).points, "gemm", {{"dtype", dtype}});
  if (calibrate::merged(products).empty())
    throw scenario::FileError(file, fmt::format("{}: no matrix product of {} to hold the fit against", file, dtype));
  return judge(products, statistic, machine.profile, model::device(machine.cluster.node.gpu, dtype));
}

}  // namespace

bool Verification::good() const { return median <= good_median && ninety <= good_ninety; }

Verification judge(const std::vector<calibrate::Point>& products, calibrate::Statistic statistic, const model::Profile& profile,
                   const model::Device& device) {
  Verification out;
  out.text = fmt::format("unseen shapes\n{:<32}{:>14}{:>14}{:>10}\n", "", "measured us", "predicted us", "error");
  std::vector<double> errors;
  for (const calibrate::Point& point : calibrate::merged(products)) {
    const double measured = calibrate::summary_s(point, statistic);
    const double predicted = model::gemm(calibrate::gemm_shape(point), profile.gemm, profile.memory, device).device_s;
    errors.push_back(predicted / measured - 1);
    out.points.push_back({{"label", calibrate::point_label(point)}, {"measured_s", measured}, {"predicted_s", predicted}});
    out.text += fmt::format("{:<32}{:>14.2f}{:>14.2f}{:>+9.1f}%\n", calibrate::point_label(point), measured * 1e6,
                            predicted * 1e6, 100 * errors.back());
  }
  const calibrate::Quantiles q = calibrate::quantiles(errors);
  out.shapes = errors.size();
  out.median = q.median;
  out.ninety = q.ninety;
  out.text += fmt::format("median error {:.1f} % (goal {:.0f} %), 90th percentile {:.1f} % (goal {:.0f} %)\n", 100 * q.median,
                          100 * good_median, 100 * q.ninety, 100 * good_ninety);
  return out;
}

Verification verify_cpu(const CalibrateOptions& options, const CalibrationFiles& files, int threads) {
  const calibrate::CpuPlan plan{.shapes = options.shapes, .seed = options.seed};
  calibrate::RunRequest request;
  request.plan = [plan](const calibrate::Description&) { return calibrate::unseen_cpu_plan(plan, unseen_shapes); };
  request.path = files.verification;
  request.provenance = {{"command", options.command}};
  request.tell = [&](const std::string& line) {
    if (!options.quiet) tell(line);
  };
  if (calibrate::run_plan(calibrate::cpu_child({options.blas, threads}), request).interrupted)
    throw Interrupted(
        fmt::format("interrupted; the profile is written, what was measured to verify it is in {}", files.verification));
  return judge_file(files.verification, "fp32", calibrate::Statistic::fastest, load_host(files));
}

Verification verify_against(const std::string& points, const calibrate::Calibration& calibration, const CalibrationFiles& files) {
  const std::string dtype = calibration.roofline->dtype;
  if (calibration.host) return judge_file(points, dtype, calibration.statistic, load_host(files));
  scenario::Scenario machine;
  machine.profile = load_profile(files.profile);
  machine.cluster.node.gpu = load_gpu(machine.profile.gpu);
  return judge_file(points, dtype, calibration.statistic, machine);
}

}  // namespace gridlock::cli
