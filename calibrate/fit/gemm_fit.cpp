#include "calibrate/fit/gemm_fit.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <array>
#include <cassert>
#include <cmath>
#include <unsupported/Eigen/NonLinearOptimization>
#include <unsupported/Eigen/NumericalDiff>
#include <utility>

namespace gridlock::calibrate {
namespace {

constexpr double sample_spread = 0.05;
constexpr int terms = 5;
using Vector = Eigen::VectorXd;  // logarithms of the terms, or residuals

// Expected value of each term and the factor by which it may well be off.
struct Prior {
  double value, factor;
};
const std::array<Prior, terms> priors{{
    {0.80, 1.5},  // ceiling: cuBLAS reaches 0.7 to 0.87 of the dense peak at best
    {38, 2.0},    // tile_traffic: a 64 x 64 tile works at 0.66 of a 256 x 128 one
    {1e-6, 2.0},  // wave_s: filling the pipeline of shared-memory stages takes a round trip or two to HBM
    {3e-6, 1.5},  // launch_s: 2 to 5 us a kernel
    {1.0, 2.0},   // overlap_exponent - 1: 2 lies midway between a sum and a roofline
}};

Vector expected_terms() {
  Vector x(terms);
  for (int i = 0; i < terms; ++i) x[i] = std::log(priors[static_cast<std::size_t>(i)].value);
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

  int inputs() const { return terms; }
  int values() const { return static_cast<int>(samples->size()) + terms; }

  int operator()(const Vector& x, Vector& out) const {
    const model::GemmModel model = to_model(x);
    const Vector expected = expected_terms();
    Eigen::Index row = 0;
    for (const GemmSample& sample : *samples) {
      out[row++] = std::log(predict_s(sample, *setting, model) / sample.seconds) / sample_spread;
    }
    for (int i = 0; i < terms; ++i) {
      out[row++] = (x[i] - expected[i]) / std::log(priors[static_cast<std::size_t>(i)].factor);
    }
    return 0;
  }
};

// Descends from a corner of the prior: term i starts at its expected value times or over its factor, by bit i.
std::pair<double, Vector> descend(const Residuals& residuals, unsigned corner) {
  // The model has kinks where another tile becomes the best: differences over a step of 1e-4 look past the smallest of them.
  constexpr double step = 1e-4;
  using Function = Eigen::NumericalDiff<Residuals, Eigen::Central>;
  Function function(residuals, step * step);
  Eigen::LevenbergMarquardt<Function> solver(function);
  Vector x = expected_terms();
  for (int i = 0; i < terms; ++i) {
    const double spread = std::log(priors[static_cast<std::size_t>(i)].factor);
    x[i] += (corner >> i & 1U) != 0 ? spread : -spread;
  }
  solver.minimize(x);
  return {solver.fnorm, x};
}

// Kinks make local minima: the best of descents from all corners of the prior.
model::GemmModel minimize(const std::vector<GemmSample>& samples, const GemmSetting& setting) {
  const Residuals residuals{&samples, &setting};
  auto best = descend(residuals, 0);
  for (unsigned corner = 1; corner < 1U << terms; ++corner) {
    if (auto found = descend(residuals, corner); found.first < best.first) best = std::move(found);
  }
  return to_model(best.second);
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
  fit.model = minimize(samples, setting);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    std::vector<GemmSample> others = samples;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    fit.error.push_back(predict_s(samples[i], setting, fit.model) / samples[i].seconds - 1);
    fit.left_out_error.push_back(predict_s(samples[i], setting, minimize(others, setting)) / samples[i].seconds - 1);
  }
  return fit;
}

double root_mean_square(const std::vector<double>& errors) {
  double sum = 0;
  for (const double error : errors) sum += error * error;
  return std::sqrt(sum / static_cast<double>(errors.size()));
}

std::string fit_report(const std::vector<GemmSample>& samples, const GemmSetting& setting, const GemmFit& fit) {
  std::string out =
      fmt::format("{:>8} {:>8} {:>8} {:>12} {:>12} {:>8} {:>9}\n", "m", "n", "k", "measured us", "model us", "error", "left out");
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const GemmSample& s = samples[i];
    out += fmt::format("{:>8} {:>8} {:>8} {:>12.2f} {:>12.2f} {:>+7.1f}% {:>+8.1f}%\n", s.m, s.n, s.k, s.seconds * 1e6,
                       predict_s(s, setting, fit.model) * 1e6, fit.error[i] * 100, fit.left_out_error[i] * 100);
  }
  return out + fmt::format("root mean square: {:.1f}% fitted, {:.1f}% left out\n", root_mean_square(fit.error) * 100,
                           root_mean_square(fit.left_out_error) * 100);
}

std::string fit_yaml(const GemmFit& fit) {
  const model::GemmModel& m = fit.model;
  return fmt::format(
      "gemm:\n  ceiling: {:.4f}\n  tile_traffic: {:.1f}\n  wave: {:.2f}us\n  launch: {:.2f}us\n  overlap_exponent: {:.2f}\n",
      m.ceiling, m.tile_traffic, m.wave_s * 1e6, m.launch_s * 1e6, m.overlap_exponent);
}

}  // namespace gridlock::calibrate
