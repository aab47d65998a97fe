// Fits the GEMM terms of a CPU (sim/model/gemm_packed.hpp) to measured products.
//
// Terms: rate (peak * ceiling), operand and output bandwidth, launch. Only peak * ceiling can be seen, so the peak is what was
// seen: the larger of the fitted rate and the fastest product; the ceiling is the fitted rate's share of it.
#pragma once

#include "calibrate/fit/robust_fit.hpp"
#include "calibrate/fit/summaries.hpp"
#include "sim/model/gemm.hpp"

namespace gridlock::calibrate {

struct PackedGemmFit {
  std::vector<Point> points;  // as they were fitted: merged
  RobustFit fit;              // terms gemm.ceiling, gemm.operand_bandwidth, gemm.output_bandwidth, gemm.launch
  double peak_flops = 0;
  model::GemmModel model;
};

// `points`: of one dtype. Throws std::invalid_argument when there are too few.
PackedGemmFit fit_packed_gemm(const std::vector<Point>& points, Statistic statistic);

}  // namespace gridlock::calibrate
