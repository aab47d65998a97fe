#include "sim/report/matmul.hpp"

#include <fmt/format.h>

#include "sim/report/format.hpp"
#include "sim/report/version.hpp"

namespace gridlock::report {
namespace {

using Json = nlohmann::ordered_json;

const char* bound_name(model::Bound bound) { return bound == model::Bound::compute ? "compute" : "memory"; }

}  // namespace

std::string matmul_text(const scenario::Matmul& s, const std::vector<ProductTime>& times) {
  const topology::GpuSpec& gpu = s.machine.cluster.node.gpu;
  const double peak = gpu.peak_flops.at(s.precision);
  std::string text = fmt::format("{}: {} products on {}, profile {}\n\n{:>8} {:>8} {:>8} {:>6} {:>12} {:>12} {:>12} {:>10}  {}\n",
                                 s.machine.name, s.precision, gpu.name, s.machine.profile.name, "m", "n", "k", "batch", "time",
                                 "std. error", "GFLOP/s", "of peak", "bound by");
  for (const ProductTime& t : times) {
    const double speed = t.time.flops / t.time.device_s;
    text += fmt::format("{:>8} {:>8} {:>8} {:>6} {:>12} {:>12} {:>12.1f} {:>10}  {}\n", t.product.m, t.product.n, t.product.k,
                        t.product.batch, seconds(t.time.device_s), t.standard_error_s > 0 ? seconds(t.standard_error_s) : "-",
                        speed * 1e-9, percent(speed / peak), bound_name(t.time.bound));
  }
  return text;
}

Json matmul_json(const scenario::Matmul& s, const std::vector<ProductTime>& times) {
  Json files = Json::array(), products = Json::array();
  for (const scenario::InputFile& file : s.machine.files) files.push_back({{"path", file.path}, {"fnv1a64", file.fnv1a64}});
  for (const ProductTime& t : times) {
    Json product{
        {"m", t.product.m}, {"n", t.product.n}, {"k", t.product.k}, {"batch", t.product.batch}, {"time_s", t.time.device_s}};
    if (t.standard_error_s > 0) product["time_s_stderr"] = t.standard_error_s;
    product["flops_per_s"] = t.time.flops / t.time.device_s;
    product["bound"] = bound_name(t.time.bound);
    products.push_back(std::move(product));
  }
  return {
      {"schema", "gridlock.matmul/1"},
      {"version", version()},
      {"scenario", {{"name", s.machine.name}, {"files", std::move(files)}, {"resolved", Json::parse(s.machine.resolved_json)}}},
      {"seed", s.machine.seed},
      {"warnings", s.machine.warnings},
      {"device", s.machine.cluster.node.gpu.name},
      {"precision", s.precision},
      {"peak_flops_per_s", s.machine.cluster.node.gpu.peak_flops.at(s.precision)},
      {"products", std::move(products)}};
}

}  // namespace gridlock::report
