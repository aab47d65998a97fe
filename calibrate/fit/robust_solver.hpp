// The inner part of robust_fit: the best x for given data and some terms held fast.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "calibrate/fit/robust_fit.hpp"

namespace gridlock::calibrate {

struct Solution {
  Eigen::VectorXd x;           // logarithms of all terms
  Eigen::VectorXd residual;    // by measurement used
  double spread = 0;           // s
  double objective = 0;        // sum rho + prior
  Eigen::MatrixXd covariance;  // of the free terms, in their order
};

class RobustSolver {
 public:
  // Uses the measurements `rows`; terms whose `fixed` is true stay where `start` has them.
  RobustSolver(const RobustProblem& problem, std::vector<std::size_t> rows, std::vector<bool> fixed);

  // `spread` > 0: taken as s instead of being estimated, so that objectives can be compared.
  Solution solve(Eigen::VectorXd start, double spread = 0) const;

  const std::vector<int>& free_terms() const { return free_; }

 private:
  Eigen::VectorXd residuals(const Eigen::VectorXd& x) const;
  Eigen::MatrixXd jacobian(const Eigen::VectorXd& x) const;
  Eigen::VectorXd precision() const;  // of the prior, by free term
  Eigen::VectorXd surprise(const Eigen::VectorXd& x) const;
  double prior(const Eigen::VectorXd& x) const;
  void descend(Eigen::VectorXd& x, double spread, bool absolute) const;
  Eigen::MatrixXd covariance(const Eigen::VectorXd& x, double spread) const;

  const RobustProblem& problem_;
  std::vector<std::size_t> rows_;
  std::vector<int> free_;
};

}  // namespace gridlock::calibrate
