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

}  // namespace

bool Verification::good() const { return median <= good_median && ninety <= good_ninety; }

Verification verify_cpu(const CalibrateOptions& options, const CalibrationFiles& files, int threads) {
  const scenario::Scenario host = load_host(files);
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

  Verification out;
  out.text = fmt::format("unseen shapes, measured again\n{:<32}{:>14}{:>14}{:>10}\n", "", "measured us", "predicted us", "error");
  std::vector<double> errors;
  const model::Device device = model::device(host.cluster.node.gpu, "fp32");
  for (const calibrate::Point& point : calibrate::merged(calibrate::read_points(files.verification).points)) {
    const double measured = calibrate::summary_s(point, calibrate::Statistic::fastest);
    const double predicted = model::gemm(calibrate::gemm_shape(point), host.profile.gemm, host.profile.memory, device).device_s;
    errors.push_back(predicted / measured - 1);
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

}  // namespace gridlock::cli
