// From measured points to a profile.
#pragma once

#include <optional>

#include "calibrate/fit/robust_fit.hpp"
#include "calibrate/fit/summaries.hpp"
#include "calibrate/profile/profile_file.hpp"
#include "sim/model/kernel.hpp"
#include "sim/model/profile.hpp"

namespace gridlock::calibrate {

struct FittedBenchmark {
  std::string name;           // "gemm"
  std::vector<Point> points;  // merged
  RobustFit fit;
  std::vector<double> preset_s;  // what the preset says, by point
};

struct Calibration {
  Statistic statistic = Statistic::median;
  std::vector<FittedBenchmark> fits;
  MeasuredProfile profile;
  std::optional<MeasuredHost> host;  // of a CPU, whose hardware no catalogue knows
};

// A host: fp32 products and streams. `name`: of device and node. `preset`: the profile named cpu. Throws std::invalid_argument
// when a benchmark is missing or has too few points.
Calibration calibrate_cpu(const PointFile& file, const std::string& name, const model::Profile& preset);

// A GPU of the catalogue: bf16 products (fp16 where there are none), streams, launches. What needs a second GPU or a network
// stays as in `preset`, whose name is `base`.
Calibration calibrate_gpu(const PointFile& file, const std::string& base, const model::Profile& preset,
                          const topology::GpuSpec& gpu);

// Fills preset_s of the fits "gemm" and "memory".
void predict_by_preset(Calibration& calibration, const model::Profile& preset, const model::Device& device);

}  // namespace gridlock::calibrate
