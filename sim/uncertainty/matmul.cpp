#include "sim/uncertainty/matmul.hpp"

#include <algorithm>

#include "sim/uncertainty/sample.hpp"

namespace gridlock::uncertainty {
namespace {

double operand_bytes(const std::string& precision) {
  if (precision == "fp32" || precision == "tf32") return 4;
  return precision == "fp8" ? 1 : 2;
}

}  // namespace

std::vector<report::ProductTime> product_times(const scenario::Matmul& s, int samples) {
  const model::Device device = model::device(s.machine.cluster.node.gpu, s.precision);
  const double bytes = operand_bytes(s.precision);
  const ProfileSampler sampler(s.machine.profile);
  std::vector<report::ProductTime> times;
  for (const scenario::Product& p : s.products) {
    // fp8 products are written as bf16.
    const model::GemmShape shape{
        .m = p.m, .n = p.n, .k = p.k, .batch = p.batch, .operand_bytes = bytes, .output_bytes = std::max(bytes, 2.0)};
    times.push_back({p, model::gemm(shape, s.machine.profile.gemm, s.machine.profile.memory, device), 0});
    if (!sampler.has_errors()) continue;
    std::vector<double> drawn;
    for (int i = 0; i < samples; ++i) {
      const model::Profile profile = sampler.draw(s.machine.seed, i);
      drawn.push_back(model::gemm(shape, profile.gemm, profile.memory, device).device_s);
    }
    times.back().standard_error_s = standard_deviation(drawn);
  }
  return times;
}

}  // namespace gridlock::uncertainty
