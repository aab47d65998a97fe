// Fits the terms of a model of times to measured ones, when some of the measurements are wrong.
//
//   r_i = ln( t_model,i(x) / t_i ) / q_i                             x_j = ln of term j: terms are positive
//   minimise  sum rho( r_i / s )  +  1/2 sum ( (x_j - ln expected_j) / ln factor_j )^2
//
// q_i says how many times more than the others measurement i scatters (1 unless given). rho is Tukey's biweight with c = 4.685:
// 95 % of least squares' efficiency when errors are normal, and a measurement more than c s away has no say. It starts from the
// least absolute deviations; s is 1.4826 times the median |r| there, times sqrt(n / (n - p)) for what p terms take away, and at
// least `least_spread`. (P. J. Huber, E. M. Ronchetti: Robust Statistics, 2nd ed., chapters 6 and 7.) The second sum says what is
// known beforehand; a factor of 0: nothing.
//
// Standard errors: covariance of x = ( J'J / v + P )^-1, v = s^2 K^2 [n/(n-p) mean psi^2] / (mean psi')^2,
// K = 1 + p/n var(psi') / (mean psi')^2 (Huber's H1), P the prior's precision; of a term, its value times that of x.
//
// A term is refused, and stays at `expected`, when the data leave it uncertain by more than a factor of e^0.5 (or by more than
// 0.8 of what was known beforehand) and fit as well without it.
//
// Worked example: one term T, t_model = T; times 1, 1, 1, 1.1, 9 s. The median of |r| is 0, so s = least_spread = 0.05. The 9 s
// have no weight; T is about 1.02 s, not the mean of 2.62 s.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

namespace gridlock::calibrate {

struct Term {
  std::string name;
  double expected = 0;        // positive
  double factor = 0;          // by which it may well be off; 0 = nothing is known
  std::string identified_by;  // "products of at most 64 x 64 x 64": what to measure where it is refused
};

struct RobustProblem {
  std::vector<Term> terms;
  std::vector<double> measured;                                                // s, positive
  std::function<double(const std::vector<double>& terms, std::size_t)> model;  // s, of measurement i; positive
  double least_spread = 1e-6;                                                  // relative
  std::vector<double> times_the_scatter;                                       // q by measurement; empty: all 1
};

struct FittedTerm {
  std::string name;
  double value = 0;
  double standard_error = 0;  // same unit; of a refused term: what was known beforehand
  bool refused = false;
  std::string reason;  // why, and what would identify it
};

struct RobustFit {
  std::vector<FittedTerm> terms;
  Eigen::MatrixXd correlation;         // of the terms' errors; 0 beside the diagonal for refused ones
  double spread = 0;                   // s: relative scatter of the measurements around the model
  std::vector<double> error;           // t_model / t_measured - 1
  std::vector<double> left_out_error;  // the same, by a fit to nine tenths of the others (to all others below 20 points)
  std::vector<bool> outlier;           // had no say
  int freedom = 0;                     // measurements less fitted terms

  std::vector<double> values() const;
};

// Throws std::invalid_argument when there are fewer measurements than terms without a prior, or none.
RobustFit robust_fit(const RobustProblem& problem);

// Half the width of a 95 % interval in standard errors: Student's t.
double interval_95(int freedom);

}  // namespace gridlock::calibrate
