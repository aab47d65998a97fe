// What `gridlock calibrate --html` shows, as data for sim/report/html/assets/calibrate.js. Times in seconds.
//
//   device, base, statistic, provenance, kept: [sentences]
//   terms:      [{name, text, relative_error} or {name, reason}]; text: the value with its unit
//   accuracy:   [{benchmark, points, outliers, scatter, before, after, left_out}], each pair [median, 90th percentile]
//   benchmarks: [{name, points: [{label, measured, low, high, fitted, preset, left_out, outlier, and of products flops, bytes, m,
//   n,
//               k, of copies and streams bytes, of collectives kind, ranks, nodes, bytes}]}]; low, high: of the repeats
//   roofline:   {dtype, peak_flops, bytes_per_s, ceiling, memory_efficiency}, where products were fitted
//   others:     [{label, median, low, high, error}]: measured and not fitted
#pragma once

#include <nlohmann/json.hpp>

#include "calibrate/profile/calibration.hpp"

namespace gridlock::calibrate {

nlohmann::ordered_json page_data(const Calibration& calibration, const PointFile& measured);

}  // namespace gridlock::calibrate
