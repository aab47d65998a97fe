// Fits the GEMM terms of a GPU (sim/model/gemm.hpp) to a sweep of measured products: robust, with what the preset says as what is
// known beforehand. For a handful of published rows see gemm_fit.hpp.
#pragma once

#include "calibrate/fit/robust_fit.hpp"
#include "calibrate/fit/summaries.hpp"
#include "sim/model/gemm.hpp"

namespace gridlock::calibrate {

struct TiledGemmFit {
  std::vector<Point> points;  // as they were fitted: merged
  RobustFit fit;              // gemm.ceiling, .tile_traffic, .wave, .launch, .overlap_exponent
  model::GemmModel model;
};

// `points`: of one dtype, whose dense peak `device` has. Throws std::invalid_argument when there are too few.
TiledGemmFit fit_tiled_gemm(const std::vector<Point>& points, Statistic statistic, const model::Device& device,
                            const model::MemoryModel& memory, const model::GemmModel& preset);

}  // namespace gridlock::calibrate
