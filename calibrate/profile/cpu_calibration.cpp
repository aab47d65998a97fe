#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

#include "calibrate/fit/copy_fit.hpp"
#include "calibrate/fit/packed_gemm_fit.hpp"
#include "calibrate/fit/stream_fit.hpp"
#include "calibrate/profile/calibration.hpp"

namespace gridlock::calibrate {
namespace {

using Unit = ProfileValue::Unit;

constexpr Statistic cpu_statistic = Statistic::fastest;  // others use the host as well

double number(const Provenance& facts, const std::string& name, double absent) {
  const auto found = facts.find(name);
  double value = absent;
  if (found != facts.end()) std::from_chars(found->second.data(), found->second.data() + found->second.size(), value);
  return value;
}

MeasuredHost host_of(const PointFile& file, const std::string& name) {
  MeasuredHost host;
  host.name = name;
  host.memory_bytes = number(file.provenance, "memory_bytes", 0);
  host.threads = static_cast<int>(number(file.provenance, "threads", 1));
  if (!(host.memory_bytes > 0)) throw std::invalid_argument("the points do not say how much memory the host has (memory_bytes)");
  if (const auto device = file.provenance.find("device"); device != file.provenance.end())
    host.remarks.push_back(fmt::format("{}, {} threads", device->second, host.threads));
  return host;
}

// Between processes of the host. No scenario puts ranks on parts of a host: known, and in no value of the profile.
void add_all_reduce(Calibration& out, const std::vector<Point>& points) {
  const std::vector<Point> calls = merged(select(points, "all_reduce", {{"library", "mpi"}}));
  if (calls.size() < 2) return;
  const CopyFit fit = fit_copies(calls, out.statistic, "all_reduce.bandwidth", 1);
  const FittedTerm &bandwidth = fit.fit.terms[0], &start = fit.fit.terms[1];
  out.profile.kept.push_back(fmt::format(
      "all-reduce between {} processes over shared memory: {:.3g} us + bytes / {:.3g} GB/s; no value of a profile depends on it.",
      calls.front().numbers.count("ranks") > 0 ? calls.front().numbers.at("ranks") : 0, start.value * 1e6,
      bandwidth.value * 1e-9));
  out.fits.push_back({"all_reduce", fit.points, fit.fit, {}});
}

}  // namespace

Calibration calibrate_cpu(const PointFile& file, const std::string& name, const model::Profile& preset) {
  const std::vector<Point> products = select(file.points, "gemm", {{"dtype", "fp32"}});
  if (products.empty()) throw std::invalid_argument("no matrix product of fp32 among the points");
  const PackedGemmFit gemm = fit_packed_gemm(products, cpu_statistic);
  const StreamFit memory = fit_streams(file.points, cpu_statistic, 0);

  Calibration out;
  out.statistic = cpu_statistic;
  out.host = host_of(file, name);
  out.host->peak_flops = gemm.peak_flops;
  out.host->memory_bytes_per_s = memory.peak_bytes_per_s;
  out.profile.base = "cpu";
  out.profile.gpu = name;
  out.profile.words = {{"gemm.kind", "packed"}};
  out.profile.provenance = file.provenance;
  out.profile.kept = {"links, nccl: as in the preset; nothing on one host is joined by them."};
  add_fit(out.profile, gemm.fit, {Unit::ratio, Unit::bandwidth, Unit::bandwidth, Unit::seconds});
  add_fit(out.profile, memory.fit, {Unit::ratio, Unit::seconds});

  const model::Device device{out.host->peak_flops, out.host->memory_bytes_per_s, out.host->threads};
  out.fits = {{"gemm", gemm.points, gemm.fit, {}}, {"memory", memory.points, memory.fit, {}}};
  out.roofline = {"fp32", device, gemm.fit.terms[0].value, memory.fit.terms[0].value};
  predict_by_preset(out, preset, device);
  add_all_reduce(out, file.points);
  return out;
}

}  // namespace gridlock::calibrate
