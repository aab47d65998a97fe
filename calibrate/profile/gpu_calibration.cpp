#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "calibrate/fit/stream_fit.hpp"
#include "calibrate/fit/tiled_gemm_fit.hpp"
#include "calibrate/profile/calibration.hpp"

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

// The host's time between two launches, with the standard error of its mean.
void add_dispatch(Calibration& out, const std::vector<Point>& points) {
  for (const Point& point : merged(select(points, "launch", {{"graph", "no"}}))) {
    const double typical = summary_s(point, gpu_statistic);
    double squares = 0;
    for (const double s : point.seconds) squares += (s - typical) * (s - typical);
    const auto n = static_cast<double>(point.seconds.size());
    out.profile.values.push_back({"dispatch", typical, Unit::seconds, n > 1 ? std::sqrt(squares / (n - 1) / n) : 0});
    return;
  }
  out.profile.kept.push_back("dispatch: no launch was measured; as in the preset.");
}

}  // namespace

Calibration calibrate_gpu(const PointFile& file, const std::string& base, const model::Profile& preset,
                          const topology::GpuSpec& gpu) {
  Calibration out;
  out.statistic = gpu_statistic;
  out.profile.base = base;
  out.profile.gpu = preset.gpu;
  out.profile.provenance = file.provenance;

  std::string dtype;
  const std::vector<Point> measured = products(file.points, dtype);
  model::Device device = model::device(gpu, dtype);
  const StreamFit memory = fit_streams(file.points, gpu_statistic, device.hbm_bytes_per_s);
  model::MemoryModel reached = preset.memory;
  if (!memory.fit.terms[0].refused) reached.efficiency = memory.fit.terms[0].value;
  const TiledGemmFit gemm = fit_tiled_gemm(measured, gpu_statistic, device, reached, preset.gemm);
  add_fit(out.profile, gemm.fit, {Unit::ratio, Unit::ratio, Unit::seconds, Unit::seconds, Unit::ratio});
  add_fit(out.profile, memory.fit, {Unit::ratio, Unit::seconds});
  add_dispatch(out, file.points);
  out.profile.kept.push_back("flash, links, nccl, collective_sms, reserved: as in the preset.");

  out.fits = {{"gemm", gemm.points, gemm.fit, {}}, {"memory", memory.points, memory.fit, {}}};
  predict_by_preset(out, preset, device);
  return out;
}

}  // namespace gridlock::calibrate
