#include "calibrate/fit/tiled_gemm_fit.hpp"

#include "calibrate/fit/gemm_point.hpp"

namespace gridlock::calibrate {
namespace {

enum : std::size_t { ceiling, tile_traffic, wave, launch, overlap };

// The exponent is above 1: what is fitted is the part above.
model::GemmModel to_model(const std::vector<double>& terms) {
  return {.ceiling = terms[ceiling],
          .tile_traffic = terms[tile_traffic],
          .wave_s = terms[wave],
          .launch_s = terms[launch],
          .overlap_exponent = 1 + terms[overlap]};
}

}  // namespace

TiledGemmFit fit_tiled_gemm(const std::vector<Point>& points, Statistic statistic, const model::Device& device,
                            const model::MemoryModel& memory, const model::GemmModel& preset) {
  TiledGemmFit out;
  out.points = merged(points);
  std::vector<model::GemmShape> shapes;
  RobustProblem problem;
  for (const Point& point : out.points) {
    shapes.push_back(gemm_shape(point));
    problem.measured.push_back(summary_s(point, statistic));
  }
  problem.model = [&](const std::vector<double>& terms, std::size_t i) {
    return model::gemm(shapes[i], to_model(terms), memory, device).device_s;
  };
  problem.least_spread = 0.01;
  // Presets come from other boards and precisions: each may be off by these factors.
  problem.terms = {{"gemm.ceiling", preset.ceiling, 1.5, "cubes of 4096 and more"},
                   {"gemm.tile_traffic", preset.tile_traffic, 2, "products with few tiles, such as 512 x 512 x 8192"},
                   {"gemm.wave", preset.wave_s, 3, "products of many waves and small k, such as 8192 x 8192 x 512"},
                   {"gemm.launch", preset.launch_s, 3, "products of at most 256 x 256 x 256"},
                   {"gemm.overlap_exponent", preset.overlap_exponent - 1, 3,
                    "products near the ridge of the roofline, such as 256 x 8192 x 8192"}};
  out.fit = robust_fit(problem);
  out.model = to_model(out.fit.values());
  out.fit.terms[overlap].value += 1;
  return out;
}

}  // namespace gridlock::calibrate
