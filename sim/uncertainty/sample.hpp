// Profiles as they may well be: fitted parameters drawn from their errors.
//
//   x_i = v_i exp(d_i / v_i),  d = S L z,  z ~ N(0, 1)     v: values, S: standard errors on the diagonal, L L' = correlations
//
// so the logarithm is normal, with median v; for small errors x = v + d. Where v = 0: x = d.
//
// Correlations that no errors can have (not positive semidefinite, by rounding in the file) are moved to the nearest that can:
// eigenvalues below 0 become 0. A draw outside a parameter's range ends at its limit. Sample i of a seed is always the same.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "sim/model/profile.hpp"

namespace gridlock::uncertainty {

class ProfileSampler {
 public:
  explicit ProfileSampler(const model::Profile& profile);

  // Whether any parameter has an error at all.
  bool has_errors() const { return !names_.empty(); }

  model::Profile draw(std::uint64_t seed, int sample) const;

 private:
  model::Profile profile_;
  std::vector<std::string> names_;
  Eigen::VectorXd errors_;
  Eigen::MatrixXd root_;  // L
};

// sqrt( sum (x - mean)^2 / (n - 1) ); 0 for fewer than two.
double standard_deviation(const std::vector<double>& values);

}  // namespace gridlock::uncertainty
