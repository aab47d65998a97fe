// Fits the GEMM terms of a profile to measured shapes.
//
// Least squares in logarithms with a prior, so that a handful of rows cannot push a physical constant where it makes no sense:
//
//   minimise  sum over shapes ( ln(t_model / t_measured) / s )^2  +  sum over terms ( (ln x - ln x0) / w )^2
//
// s = 5 %: copies of one board spread by that much. x0 and w of each term stand in gemm_fit.cpp. Levenberg-Marquardt from
// every corner of the prior, the best counts; deterministic. Errors quoted for unseen shapes are leave-one-out: fitted without
// the row they are asked about.
//
// Standard errors: covariance of ln x = (J'J)^-1 with J the derivatives of all terms of the sum above, the prior's included; of a
// term, its value times the root of the diagonal (of the exponent: what is above 1). A term that the rows say nothing about
// keeps the prior's width.
#pragma once

#include <string>
#include <vector>

#include "calibrate/fit/gemm_samples.hpp"
#include "sim/model/gemm.hpp"

namespace gridlock::calibrate {

// What was measured, besides the shapes.
struct GemmSetting {
  model::Device device;  // with the dense peak of the measured precision
  model::MemoryModel memory;
  double operand_bytes = 2;  // 1 for fp8
  double output_bytes = 2;
};

struct GemmFit {
  model::GemmModel model;
  model::GemmModel standard_error;     // of each term
  std::vector<double> error;           // t_model / t_measured - 1, by sample
  std::vector<double> left_out_error;  // the same, each by a fit to the other samples
};

// REQUIRES at least two samples.
GemmFit fit_gemm(const std::vector<GemmSample>& samples, const GemmSetting& setting);

// Predicted time of one sample.
double predict_s(const GemmSample& sample, const GemmSetting& setting, const model::GemmModel& model);

// Root mean square of relative errors.
double root_mean_square(const std::vector<double>& errors);

// Median of the magnitudes of relative errors. REQUIRES at least one.
double median_magnitude(std::vector<double> errors);

// For people: a line a shape (measured, predicted, error, left-out error), then the terms.
std::string fit_report(const std::vector<GemmSample>& samples, const GemmSetting& setting, const GemmFit& fit);

// The `gemm:` map of a profile file and the errors of its terms.
std::string fit_yaml(const GemmFit& fit);

}  // namespace gridlock::calibrate
