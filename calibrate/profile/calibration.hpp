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
  std::string name;           // "gemm", "memory", "peer_copy", "host_copy", "collectives", "all_reduce"
  std::vector<Point> points;  // merged
  RobustFit fit;
  std::vector<double> preset_s;  // what the preset says, by point; empty: nothing
};

// The accelerator under its roofline.
struct Roofline {
  std::string dtype;  // of the products
  model::Device device;
  double ceiling = 1;            // share of the peak that products sustain, fitted
  double memory_efficiency = 1;  // share of the memory's bandwidth that streams sustain, fitted
};

struct Calibration {
  Statistic statistic = Statistic::median;
  std::vector<FittedBenchmark> fits;
  MeasuredProfile profile;
  std::optional<MeasuredHost> host;  // of a CPU, whose hardware no catalogue knows
  std::optional<Roofline> roofline;  // where products were fitted
};

// A host: fp32 products and streams. `name`: of device and node. `preset`: the profile named cpu. Throws std::invalid_argument
// when a benchmark is missing or has too few points.
Calibration calibrate_cpu(const PointFile& file, const std::string& name, const model::Profile& preset);

// What a GPU's profile starts from: the preset, its name, and the machine: of `cluster` the node and its links; without it links
// and collectives stay as in the preset.
struct GpuSetting {
  std::string base;
  model::Profile preset;
  topology::GpuSpec gpu;
  std::optional<topology::ClusterSpec> cluster;
};

// A GPU of the catalogue: bf16 products (fp16 where there are none), streams, launches, links. Throws std::invalid_argument.
//
//   gemm.ceiling   as fitted, times first / last time of the sustained product: training runs for hours, not for milliseconds
//   dispatch       the larger of the preset's and the measured bare launch: a framework does more between two kernels
Calibration calibrate_gpu(const PointFile& file, const GpuSetting& setting);

// From logs of collectives alone. REQUIRES setting.cluster. Throws std::invalid_argument, topology::SpecError.
Calibration calibrate_collectives(const PointFile& file, const GpuSetting& setting);

// Fills preset_s of the fits "gemm" and "memory".
void predict_by_preset(Calibration& calibration, const model::Profile& preset, const model::Device& device);

}  // namespace gridlock::calibrate
