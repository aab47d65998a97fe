// How well a model fits what was measured, for one benchmark: before (the preset) and after (the fit).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibrate/profile/calibration.hpp"

namespace gridlock::calibrate {

// Of magnitudes of relative errors.
struct Quantiles {
  double median = 0, ninety = 0;
};
Quantiles quantiles(const std::vector<double>& errors);  // nothing: zeros

struct Accuracy {
  std::string benchmark;
  std::size_t points = 0, outliers = 0;
  double scatter = 0;               // of the repeats of a point: median over points of (median - fastest) / fastest
  std::optional<Quantiles> before;  // where the preset says anything
  Quantiles after, left_out;
};

Accuracy accuracy(const FittedBenchmark& benchmark, Statistic statistic);

// A line a benchmark.
std::string accuracy_table(const std::vector<Accuracy>& rows);

// A term as the profile has it, with its unit; terms of no profile are bandwidths by their name, else seconds.
std::string term_text(const FittedTerm& term, const MeasuredProfile& profile);

// A line a term: fitted value and error, or why there is none.
std::string term_table(const RobustFit& fit, const MeasuredProfile& profile);

// A line a point: measured, fitted, both errors; outliers are marked.
std::string residual_table(const FittedBenchmark& benchmark, Statistic statistic);

// "64 x 64 x 64 fp32", "copy 96.0 MB": what a point is called in tables.
std::string point_label(const Point& point);

}  // namespace gridlock::calibrate
