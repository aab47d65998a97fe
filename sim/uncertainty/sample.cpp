#include "sim/uncertainty/sample.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>
#include <cmath>
#include <numeric>

#include "sim/scenario/profile_parameters.hpp"

namespace gridlock::uncertainty {
namespace {

using Eigen::Index;

Index index_of(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? Index{-1} : found - names.begin();
}

Eigen::MatrixXd square_root(const Eigen::MatrixXd& correlation) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(correlation);
  Eigen::MatrixXd root = solver.eigenvectors() * solver.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
  // Clipping adds variance: rows are scaled back to 1.
  for (Index i = 0; i < root.rows(); ++i) root.row(i) /= root.row(i).norm();
  return root;
}

// A draw with median `value`: log-normal, so that a rate with a large error stays a rate and does not come near zero as often as
// a normal one would; for small errors both are the same. A value of zero (a latency that is not there) moves by `move` itself.
double drawn_from(double value, double move) { return value > 0 ? value * std::exp(move / value) : value + move; }

// The nearest value that a file could give.
double inside(double value, double original, const scenario::Range& range) {
  constexpr double least_share = 1e-3;  // of the original, where the limit itself is not allowed
  const double low = range.above ? range.min + least_share * (original - range.min) : range.min;
  return std::clamp(value, low, range.max);
}

}  // namespace

ProfileSampler::ProfileSampler(const model::Profile& profile) : profile_(profile) {
  const model::Uncertainty& u = profile.uncertainty;
  for (const auto& [name, error] : u.standard_errors) names_.push_back(name);
  const auto n = static_cast<Index>(names_.size());
  errors_.resize(n);
  for (Index i = 0; i < n; ++i) errors_[i] = u.standard_errors.at(names_[static_cast<std::size_t>(i)]);
  Eigen::MatrixXd correlation = Eigen::MatrixXd::Identity(n, n);
  for (const model::Uncertainty::Correlation& c : u.correlations) {
    const Index a = index_of(names_, c.a), b = index_of(names_, c.b);
    if (a >= 0 && b >= 0 && a != b) correlation(a, b) = correlation(b, a) = c.r;
  }
  if (n > 0) root_ = square_root(correlation);
}

model::Profile ProfileSampler::draw(std::uint64_t seed, int sample) const {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;  // spreads neighbouring samples (Steele et al., SplitMix)
  boost::random::mt19937_64 random(seed ^ (golden * (static_cast<std::uint64_t>(sample) + 1)));
  boost::random::normal_distribution<double> normal;
  Eigen::VectorXd z(errors_.size());
  for (double& value : z) value = normal(random);
  const Eigen::VectorXd moves = errors_.cwiseProduct(root_ * z);
  model::Profile drawn = profile_;
  for (const scenario::ProfileParameter& p : scenario::profile_parameters(drawn)) {
    if (const Index i = index_of(names_, p.name); i >= 0) *p.value = inside(drawn_from(*p.value, moves[i]), *p.value, p.range);
  }
  return drawn;
}

double standard_deviation(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / (n - 1));
}

}  // namespace gridlock::uncertainty
