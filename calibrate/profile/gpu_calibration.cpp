#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>

#include "calibrate/fit/stream_fit.hpp"
#include "calibrate/fit/tiled_gemm_fit.hpp"
#include "calibrate/profile/calibration.hpp"
#include "calibrate/profile/link_calibration.hpp"

namespace gridlock::calibrate {
namespace {

using Unit = ProfileValue::Unit;

constexpr Statistic gpu_statistic = Statistic::median;

// Products of the precision that training uses, and which it is.
std::vector<Point> products(const std::vector<Point>& points, std::string& dtype) {
  for (const char* candidate : {"bf16", "fp16"}) {
    dtype = candidate;
    if (std::vector<Point> found = select(points, "gemm", {{"dtype", dtype}}); !merged(found).empty()) return found;
  }
  throw std::invalid_argument("no matrix product of bf16 or fp16 among the points");
}

// The standard error of a mean of repeats.
double error_of_mean(const Point& point) {
  const double typical = summary_s(point, gpu_statistic);
  double squares = 0;
  for (const double s : point.seconds) squares += (s - typical) * (s - typical);
  const auto n = static_cast<double>(point.seconds.size());
  return n > 1 ? std::sqrt(squares / (n - 1) / n) : 0;
}

void add_dispatch(Calibration& out, const std::vector<Point>& points, double preset_s) {
  const std::vector<Point> launches = merged(select(points, "launch", {{"graph", "no"}}));
  if (launches.empty()) {
    out.profile.kept.push_back("dispatch: no launch was measured; as in the preset.");
  } else if (const double bare_s = summary_s(launches.front(), gpu_statistic); bare_s > preset_s) {
    out.profile.values.push_back({"dispatch", bare_s, Unit::seconds, error_of_mean(launches.front())});
  } else {
    out.profile.kept.push_back(
        fmt::format("dispatch: as in the preset ({:.3g} us); a bare launch takes {:.3g} us, to which a framework adds its own.",
                    preset_s * 1e6, bare_s * 1e6));
  }
}

// How much slower a product gets as the device warms up: at least 1.
double slowdown_of_long_runs(const std::vector<Point>& points) {
  const std::vector<Point> sustained = merged(select(points, "sustained"));
  const Point *first = nullptr, *last = nullptr;
  const auto second = [](const Point& p) {
    const auto found = p.numbers.find("second");
    return found == p.numbers.end() ? 0.0 : found->second;
  };
  for (const Point& point : sustained) {
    if (first == nullptr || second(point) < second(*first)) first = &point;
    if (last == nullptr || second(point) > second(*last)) last = &point;
  }
  return first == last ? 1 : std::max(1.0, summary_s(*last, gpu_statistic) / summary_s(*first, gpu_statistic));
}

void sustain(MeasuredProfile& profile, double slowdown) {
  for (ProfileValue& value : profile.values) {
    if (value.key != "gemm.ceiling" || slowdown <= 1) continue;
    value.value /= slowdown;
    value.standard_error /= slowdown;
    profile.kept.push_back(
        fmt::format("gemm.ceiling: the fitted one divided by {:.3f}: so much slower is a product after seconds "
                    "of load than in the first.",
                    slowdown));
  }
}

Calibration started(const PointFile& file, const GpuSetting& setting) {
  Calibration out;
  out.statistic = gpu_statistic;
  out.profile.base = setting.base;
  out.profile.gpu = setting.preset.gpu;
  out.profile.provenance = file.provenance;
  return out;
}

}  // namespace

Calibration calibrate_gpu(const PointFile& file, const GpuSetting& setting) {
  Calibration out = started(file, setting);
  const model::Profile& preset = setting.preset;
  std::string dtype;
  const std::vector<Point> measured = products(file.points, dtype);
  model::Device device = model::device(setting.gpu, dtype);
  const StreamFit memory = fit_streams(file.points, gpu_statistic, device.hbm_bytes_per_s);
  model::MemoryModel reached = preset.memory;
  if (!memory.fit.terms[0].refused) reached.efficiency = memory.fit.terms[0].value;
  const TiledGemmFit gemm = fit_tiled_gemm(measured, gpu_statistic, device, reached, preset.gemm);
  add_fit(out.profile, gemm.fit, {Unit::ratio, Unit::ratio, Unit::seconds, Unit::seconds, Unit::ratio});
  sustain(out.profile, slowdown_of_long_runs(file.points));
  add_fit(out.profile, memory.fit, {Unit::ratio, Unit::seconds});
  add_dispatch(out, file.points, preset.dispatch_s);

  out.fits = {{"gemm", gemm.points, gemm.fit, {}}, {"memory", memory.points, memory.fit, {}}};
  out.roofline = {dtype, device, gemm.fit.terms[0].value, reached.efficiency};
  predict_by_preset(out, preset, device);
  if (setting.cluster) {
    add_links(out, file.points, *setting.cluster, preset);
    out.profile.kept.push_back("flash, reserved: as in the preset.");
  } else {
    out.profile.kept.push_back("flash, links, nccl, collective_sms, reserved: as in the preset.");
  }
  return out;
}

Calibration calibrate_collectives(const PointFile& file, const GpuSetting& setting) {
  assert(setting.cluster);
  Calibration out = started(file, setting);
  add_links(out, file.points, *setting.cluster, setting.preset);
  if (out.fits.empty()) throw std::invalid_argument("no collective and no copy among the points");
  out.profile.kept.push_back("gemm, memory, flash, dispatch, reserved: as in the preset.");
  return out;
}

}  // namespace gridlock::calibrate
