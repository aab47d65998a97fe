#include "calibrate/fit/gemm_fit.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <unsupported/Eigen/NonLinearOptimization>
#include <unsupported/Eigen/NumericalDiff>
#include <utility>

namespace gridlock::calibrate {
namespace {

constexpr double sample_spread = 0.05;
constexpr int term_count = 5;
// The model has kinks where another tile becomes the best: differences over this step look past the smallest of them.
constexpr double log_step = 1e-4;
using Vector = Eigen::VectorXd;  // logarithms of the terms, or residuals

// Expected value of each term and the factor by which it may well be off.
struct Prior {
  double value, factor;
};
const std::array<Prior, term_count> priors{{
    {0.80, 1.5},  // ceiling: cuBLAS reaches 0.7 to 0.87 of the dense peak at best
    {38, 2.0},    // tile_traffic: a 64 x 64 tile works at 0.66 of a 256 x 128 one
    {1e-6, 2.0},  // wave_s: filling the pipeline of shared-memory stages takes a round trip or two to HBM
    {3e-6, 1.5},  // launch_s: 2 to 5 us a kernel
    {1.0, 2.0},   // overlap_exponent - 1: 2 lies midway between a sum and a roofline
}};

Vector expected_terms() {
  Vector x(term_count);
  for (int i = 0; i < term_count; ++i) x[i] = std::log(priors[static_cast<std::size_t>(i)].value);
  return x;
}

model::GemmModel to_model(const Vector& x) {
  return {.ceiling = std::exp(x[0]),
          .tile_traffic = std::exp(x[1]),
          .wave_s = std::exp(x[2]),
          .launch_s = std::exp(x[3]),
          .overlap_exponent = 1 + std::exp(x[4])};
}

// What Eigen's solver asks of a function to minimise.
struct Residuals {
  using Scalar = double;
  using InputType = Vector;
  using ValueType = Vector;
  using JacobianType = Eigen::MatrixXd;
  enum { InputsAtCompileTime = Eigen::Dynamic, ValuesAtCompileTime = Eigen::Dynamic };

  const std::vector<GemmSample>* samples;
  const GemmSetting* setting;

  int inputs() const { return term_count; }
  int values() const { return static_cast<int>(samples->size()) + term_count; }

  int operator()(const Vector& x, Vector& out) const {
    const model::GemmModel model = to_model(x);
    const Vector expected = expected_terms();
    Eigen::Index row = 0;
    for (const GemmSample& sample : *samples) {
      out[row++] = std::log(predict_s(sample, *setting, model) / sample.seconds) / sample_spread;
    }
    for (int i = 0; i < term_count; ++i) {
      out[row++] = (x[i] - expected[i]) / std::log(priors[static_cast<std::size_t>(i)].factor);
    }
    return 0;
  }
};

// Descends from a corner of the prior: term i starts at its expected value times or over its factor, by bit i.
std::pair<double, Vector> descend(const Residuals& residuals, unsigned corner) {
  using Function = Eigen::NumericalDiff<Residuals, Eigen::Central>;
  Function function(residuals, log_step * log_step);
  Eigen::LevenbergMarquardt<Function> solver(function);
  Vector x = expected_terms();
  for (int i = 0; i < term_count; ++i) {
    const double spread = std::log(priors[static_cast<std::size_t>(i)].factor);
    x[i] += (corner >> i & 1U) != 0 ? spread : -spread;
  }
  solver.minimize(x);
  return {solver.fnorm, x};
}

// Kinks make local minima: the best of descents from all corners of the prior.
Vector minimize(const std::vector<GemmSample>& samples, const GemmSetting& setting) {
  const Residuals residuals{&samples, &setting};
  auto best = descend(residuals, 0);
  for (unsigned corner = 1; corner < 1U << term_count; ++corner) {
    if (auto found = descend(residuals, corner); found.first < best.first) best = std::move(found);
  }
  return std::move(best.second);
}

// Of the logarithms of the terms.
Vector deviations(const std::vector<GemmSample>& samples, const GemmSetting& setting, const Vector& x) {
  const Residuals residuals{&samples, &setting};
  using Function = Eigen::NumericalDiff<Residuals, Eigen::Central>;
  const Function function(residuals, log_step * log_step);
  Eigen::MatrixXd jacobian(residuals.values(), term_count);
  function.df(x, jacobian);
  return (jacobian.transpose() * jacobian).inverse().diagonal().cwiseSqrt();
}

}  // namespace

double predict_s(const GemmSample& sample, const GemmSetting& setting, const model::GemmModel& model) {
  const model::GemmShape shape{
      .m = sample.m, .n = sample.n, .k = sample.k, .operand_bytes = setting.operand_bytes, .output_bytes = setting.output_bytes};
  return model::gemm(shape, model, setting.memory, setting.device).device_s;
}

GemmFit fit_gemm(const std::vector<GemmSample>& samples, const GemmSetting& setting) {
  assert(samples.size() >= 2);
  GemmFit fit;
  const Vector best = minimize(samples, setting), deviation = deviations(samples, setting, best);
  fit.model = to_model(best);
  fit.standard_error = {.ceiling = fit.model.ceiling * deviation[0],
                        .tile_traffic = fit.model.tile_traffic * deviation[1],
                        .wave_s = fit.model.wave_s * deviation[2],
                        .launch_s = fit.model.launch_s * deviation[3],
                        .overlap_exponent = (fit.model.overlap_exponent - 1) * deviation[4]};
  for (std::size_t i = 0; i < samples.size(); ++i) {
    std::vector<GemmSample> others = samples;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    fit.error.push_back(predict_s(samples[i], setting, fit.model) / samples[i].seconds - 1);
    fit.left_out_error.push_back(predict_s(samples[i], setting, to_model(minimize(others, setting))) / samples[i].seconds - 1);
  }
  return fit;
}

double root_mean_square(const std::vector<double>& errors) {
  double sum = 0;
  for (const double error : errors) sum += error * error;
  return std::sqrt(sum / static_cast<double>(errors.size()));
}

double median_magnitude(std::vector<double> errors) {
  for (double& error : errors) error = std::abs(error);
  std::sort(errors.begin(), errors.end());
  const std::size_t half = errors.size() / 2;
  return errors.size() % 2 == 1 ? errors[half] : (errors[half - 1] + errors[half]) / 2;
}

std::string fit_report(const std::vector<GemmSample>& samples, const GemmSetting& setting, const GemmFit& fit) {
  std::string out =
      fmt::format("{:>8} {:>8} {:>8} {:>12} {:>12} {:>8} {:>9}\n", "m", "n", "k", "measured us", "model us", "error", "left out");
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const GemmSample& s = samples[i];
    out += fmt::format("{:>8} {:>8} {:>8} {:>12.2f} {:>12.2f} {:>+7.1f}% {:>+8.1f}%\n", s.m, s.n, s.k, s.seconds * 1e6,
                       predict_s(s, setting, fit.model) * 1e6, fit.error[i] * 100, fit.left_out_error[i] * 100);
  }
  return out + fmt::format("root mean square: {:.1f}% fitted, {:.1f}% left out; median left out {:.1f}%\n",
                           root_mean_square(fit.error) * 100, root_mean_square(fit.left_out_error) * 100,
                           median_magnitude(fit.left_out_error) * 100);
}

std::string fit_yaml(const GemmFit& fit) {
  const model::GemmModel &m = fit.model, &e = fit.standard_error;
  return fmt::format(
             "gemm:\n  ceiling: {:.4f}\n  tile_traffic: {:.1f}\n  wave: {:.2f}us\n  launch: {:.2f}us\n  overlap_exponent: "
             "{:.2f}\n",
             m.ceiling, m.tile_traffic, m.wave_s * 1e6, m.launch_s * 1e6, m.overlap_exponent) +
         fmt::format(
             "standard_errors:\n  gemm.ceiling: {:.2g}\n  gemm.tile_traffic: {:.2g}\n  gemm.wave: {:.2g}us\n"
             "  gemm.launch: {:.2g}us\n  gemm.overlap_exponent: {:.2g}\n",
             e.ceiling, e.tile_traffic, e.wave_s * 1e6, e.launch_s * 1e6, e.overlap_exponent);
}

}  // namespace gridlock::calibrate
