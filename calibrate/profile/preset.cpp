// What the preset says to the measured points: "before", where the fit is "after".
#include "calibrate/fit/gemm_point.hpp"
#include "calibrate/profile/calibration.hpp"

namespace gridlock::calibrate {

void predict_by_preset(Calibration& calibration, const model::Profile& preset, const model::Device& device) {
  for (FittedBenchmark& fit : calibration.fits)
    for (const Point& point : fit.points)
      fit.preset_s.push_back(fit.name == "gemm" ? model::gemm(gemm_shape(point), preset.gemm, preset.memory, device).device_s
                                                : model::streaming(point.numbers.at("bytes"), preset.memory, device).device_s);
}

}  // namespace gridlock::calibrate
