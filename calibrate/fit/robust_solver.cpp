#include "calibrate/fit/robust_solver.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace gridlock::calibrate {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double c = 4.685;                  // biweight: 95 % efficient
constexpr double normal_deviation = 1.4826;  // standard deviation of a normal distribution whose median |r| is 1
constexpr double difference = 1e-4;          // of x for derivatives: looks past small kinks

// Tukey's biweight, u = r / s.
double rho(double u) {
  if (std::abs(u) >= c) return c * c / 6;
  const double rest = 1 - u * u / (c * c);
  return c * c / 6 * (1 - rest * rest * rest);
}
double weight(double u) {
  if (std::abs(u) >= c) return 0;
  const double rest = 1 - u * u / (c * c);
  return rest * rest;
}
double psi(double u) { return u * weight(u); }
double psi_slope(double u) {
  if (std::abs(u) >= c) return 0;
  const double q = u * u / (c * c);
  return (1 - q) * (1 - 5 * q);
}

double median_magnitude(const VectorXd& r) {
  std::vector<double> sizes(r.data(), r.data() + r.size());
  for (double& size : sizes) size = std::abs(size);
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle;
}

}  // namespace

RobustSolver::RobustSolver(const RobustProblem& problem, std::vector<std::size_t> rows, std::vector<bool> fixed)
    : problem_(problem), rows_(std::move(rows)) {
  for (std::size_t j = 0; j < fixed.size(); ++j)
    if (!fixed[j]) free_.push_back(static_cast<int>(j));
}

VectorXd RobustSolver::residuals(const VectorXd& x) const {
  std::vector<double> terms(static_cast<std::size_t>(x.size()));
  for (std::size_t j = 0; j < terms.size(); ++j) terms[j] = std::exp(x[static_cast<Eigen::Index>(j)]);
  VectorXd r(static_cast<Eigen::Index>(rows_.size()));
  for (std::size_t i = 0; i < rows_.size(); ++i)
    r[static_cast<Eigen::Index>(i)] = std::log(problem_.model(terms, rows_[i]) / problem_.measured[rows_[i]]);
  if (!problem_.times_the_scatter.empty())
    for (std::size_t i = 0; i < rows_.size(); ++i) r[static_cast<Eigen::Index>(i)] /= problem_.times_the_scatter[rows_[i]];
  return r;
}

MatrixXd RobustSolver::jacobian(const VectorXd& x) const {
  MatrixXd j(static_cast<Eigen::Index>(rows_.size()), static_cast<Eigen::Index>(free_.size()));
  for (std::size_t f = 0; f < free_.size(); ++f) {
    VectorXd up = x, down = x;
    up[free_[f]] += difference;
    down[free_[f]] -= difference;
    j.col(static_cast<Eigen::Index>(f)) = (residuals(up) - residuals(down)) / (2 * difference);
  }
  return j;
}

VectorXd RobustSolver::precision() const {
  VectorXd p(static_cast<Eigen::Index>(free_.size()));
  for (std::size_t f = 0; f < free_.size(); ++f) {
    const double factor = problem_.terms[static_cast<std::size_t>(free_[f])].factor;
    p[static_cast<Eigen::Index>(f)] = factor > 0 ? 1 / (std::log(factor) * std::log(factor)) : 0;
  }
  return p;
}

VectorXd RobustSolver::surprise(const VectorXd& x) const {
  VectorXd d(static_cast<Eigen::Index>(free_.size()));
  for (std::size_t f = 0; f < free_.size(); ++f)
    d[static_cast<Eigen::Index>(f)] = x[free_[f]] - std::log(problem_.terms[static_cast<std::size_t>(free_[f])].expected);
  return d;
}

double RobustSolver::prior(const VectorXd& x) const {
  const VectorXd d = surprise(x);
  return 0.5 * d.dot(precision().cwiseProduct(d));
}

// Reweighted least squares with Levenberg's damping. `absolute`: least absolute deviations (scaled by s) instead of rho.
void RobustSolver::descend(VectorXd& x, double spread, bool absolute) const {
  if (free_.empty()) return;
  const auto loss = [&](const VectorXd& at) {
    const VectorXd r = residuals(at);
    double sum = prior(at);
    for (const double value : r) sum += absolute ? std::abs(value) / spread : rho(value / spread);
    return sum;
  };
  const VectorXd p = precision();
  double damping = 1e-3, before = loss(x);
  for (int step = 0; step < 100 && damping < 1e9; ++step) {
    const VectorXd r = residuals(x);
    const MatrixXd j = jacobian(x);
    VectorXd w(r.size());
    for (Eigen::Index i = 0; i < r.size(); ++i)
      w[i] = absolute ? 1 / (spread * std::max(std::abs(r[i]), 1e-3 * spread)) : weight(r[i] / spread) / (spread * spread);
    MatrixXd a = j.transpose() * w.asDiagonal() * j;
    a.diagonal() += p;
    const VectorXd gradient = j.transpose() * w.cwiseProduct(r) + p.cwiseProduct(surprise(x));
    const double floor = 1e-12 * (a.diagonal().maxCoeff() + 1e-300);
    MatrixXd damped = a;
    damped.diagonal() += damping * a.diagonal() + VectorXd::Constant(a.rows(), floor);
    const VectorXd move = -damped.ldlt().solve(gradient);
    VectorXd next = x;
    // At most a factor of e a step: beyond that the model is not linear.
    for (std::size_t f = 0; f < free_.size(); ++f) next[free_[f]] += std::clamp(move[static_cast<Eigen::Index>(f)], -1.0, 1.0);
    const double after = loss(next);
    if (!(after < before)) {
      damping *= 10;
      continue;
    }
    x = next;
    damping = std::max(damping / 10, 1e-9);
    if (before - after < 1e-10 * (1 + before)) return;
    before = after;
  }
}

MatrixXd RobustSolver::covariance(const VectorXd& x, double spread) const {
  const VectorXd r = residuals(x);
  const auto n = static_cast<double>(r.size()), p = static_cast<double>(free_.size());
  double square = 0, slope = 0, slope_square = 0;
  for (const double value : r) {
    const double u = value / spread;
    square += psi(u) * psi(u) / n;
    slope += psi_slope(u) / n;
    slope_square += psi_slope(u) * psi_slope(u) / n;
  }
  slope = std::max(slope, 0.1);  // less: most measurements are outliers, and the spread is no longer a spread
  const double k = 1 + p / n * std::max(slope_square - slope * slope, 0.0) / (slope * slope);
  const double inflation = n > p ? n / (n - p) : n;
  // No better than the least spread allows, however well the points happen to lie.
  const double v =
      std::max(spread * spread * k * k * inflation * square / (slope * slope), problem_.least_spread * problem_.least_spread);
  const MatrixXd j = jacobian(x);
  MatrixXd a = j.transpose() * j / v;
  a.diagonal() += precision();
  a.diagonal().array() += 1e-12 * (1 + a.diagonal().maxCoeff());  // a term that nothing depends on: very uncertain, not infinite
  return a.ldlt().solve(MatrixXd::Identity(a.rows(), a.cols()));
}

Solution RobustSolver::solve(VectorXd x, double spread) const {
  const bool estimate = spread <= 0;
  if (estimate) {
    descend(x, std::max(problem_.least_spread, 0.05), true);
    const auto n = static_cast<double>(rows_.size()), p = static_cast<double>(free_.size());
    spread =
        std::max(problem_.least_spread, normal_deviation * median_magnitude(residuals(x)) * std::sqrt(n / std::max(n - p, 1.0)));
  }
  descend(x, spread, false);
  Solution solution{x, residuals(x), spread, prior(x), covariance(x, spread)};
  for (const double r : solution.residual) solution.objective += rho(r / spread);
  return solution;
}

}  // namespace gridlock::calibrate
