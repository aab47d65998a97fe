#include "calibrate/fit/packed_gemm_fit.hpp"

#include <algorithm>

#include "calibrate/fit/gemm_point.hpp"
#include "sim/model/gemm_packed.hpp"

namespace gridlock::calibrate {
namespace {

enum : std::size_t { rate, operand, output, launch };

// With `rate` as the peak and a ceiling of 1.
double predicted_s(const model::GemmShape& shape, const std::vector<double>& terms) {
  const model::GemmModel model{.ceiling = 1,
                               .launch_s = terms[launch],
                               .kind = model::GemmKind::packed,
                               .operand_bytes_per_s = terms[operand],
                               .output_bytes_per_s = terms[output]};
  return model::packed_gemm(shape, model, {.peak_flops = terms[rate], .hbm_bytes_per_s = 1, .sms = 1}).device_s;
}

}  // namespace

PackedGemmFit fit_packed_gemm(const std::vector<Point>& points, Statistic statistic) {
  PackedGemmFit out;
  out.points = merged(points);
  std::vector<model::GemmShape> shapes;
  RobustProblem problem;
  double fastest = 0;
  for (const Point& point : out.points) {
    shapes.push_back(gemm_shape(point));
    problem.measured.push_back(summary_s(point, statistic));
    const model::GemmShape& s = shapes.back();
    const double flops =
        2.0 * static_cast<double>(s.batch) * static_cast<double>(s.m) * static_cast<double>(s.n) * static_cast<double>(s.k);
    fastest = std::max(fastest, flops / problem.measured.back());
  }
  problem.model = [&](const std::vector<double>& terms, std::size_t i) { return predicted_s(shapes[i], terms); };
  problem.least_spread = 0.005;
  // Copies run at memory's speed or a cache's: 2 to 200 GB/s a core. A call: from a function's to that of many threads.
  problem.terms = {{"gemm.ceiling", fastest, 0, "products of 1024 x 1024 x 1024 and more"},
                   {"gemm.operand_bandwidth", 20e9, 10, "products with few rows or columns, such as 16 x 2048 x 2048"},
                   {"gemm.output_bandwidth", 20e9, 10, "products with a small k, such as 2048 x 2048 x 16"},
                   {"gemm.launch", 1e-6, 30, "products of at most 32 x 32 x 32"}};
  out.fit = robust_fit(problem);
  const std::vector<double> values = out.fit.values();
  out.peak_flops = std::max(fastest, values[rate]);
  out.fit.terms[rate].value /= out.peak_flops;
  out.fit.terms[rate].standard_error /= out.peak_flops;
  out.model = {.ceiling = out.fit.terms[rate].value,
               .overlap_exponent = 1,
               .kind = model::GemmKind::packed,
               .operand_bytes_per_s = values[operand],
               .output_bytes_per_s = values[output]};
  out.model.launch_s = values[launch];
  return out;
}

}  // namespace gridlock::calibrate
