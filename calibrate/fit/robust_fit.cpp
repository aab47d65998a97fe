#include "calibrate/fit/robust_fit.hpp"

#include <fmt/format.h>

#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "calibrate/fit/robust_solver.hpp"

namespace gridlock::calibrate {
namespace {

using Eigen::VectorXd;

constexpr double most_uncertain = 0.5;  // of a logarithm
constexpr double least_lesson = 0.8;    // of what was known beforehand
constexpr double fits_as_well = 2.0;    // difference of the objective: e^-2 in likelihood
constexpr double no_say = 4.685;        // spreads, as in robust_solver.cpp
constexpr std::size_t folds = 10, few = 20;

VectorXd expected(const RobustProblem& problem) {
  VectorXd x(static_cast<Eigen::Index>(problem.terms.size()));
  for (std::size_t j = 0; j < problem.terms.size(); ++j) x[static_cast<Eigen::Index>(j)] = std::log(problem.terms[j].expected);
  return x;
}

std::vector<std::size_t> all_rows(const RobustProblem& problem) {
  std::vector<std::size_t> rows(problem.measured.size());
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

struct Result {
  Solution best;
  std::vector<bool> fixed;
  std::vector<double> uncertainty;  // of the logarithm, as found when the term was last free
};

// The free term that the data say least about, if it is too little.
int least_known(const RobustProblem& problem, const Solution& s, const std::vector<int>& free, Result& result) {
  int worst = -1;
  double worst_excess = 1;
  for (std::size_t f = 0; f < free.size(); ++f) {
    const auto term = static_cast<std::size_t>(free[f]);
    const double sd = std::sqrt(s.covariance(static_cast<Eigen::Index>(f), static_cast<Eigen::Index>(f)));
    result.uncertainty[term] = sd;
    const double factor = problem.terms[term].factor;
    const double limit = factor > 0 ? std::min(most_uncertain, least_lesson * std::log(factor)) : most_uncertain;
    if (sd / limit > worst_excess) {
      worst_excess = sd / limit;
      worst = free[f];
    }
  }
  return worst;
}

// Takes out, one after the other, the terms that the data cannot identify.
Result fit_what_can_be(const RobustProblem& problem) {
  const std::size_t terms = problem.terms.size();
  Result result{{}, std::vector<bool>(terms, false), std::vector<double>(terms, 0)};
  result.best = RobustSolver(problem, all_rows(problem), result.fixed).solve(expected(problem));
  while (true) {
    const RobustSolver solver(problem, all_rows(problem), result.fixed);
    const int worst = least_known(problem, result.best, solver.free_terms(), result);
    if (worst < 0) return result;
    std::vector<bool> fixed = result.fixed;
    fixed[static_cast<std::size_t>(worst)] = true;
    VectorXd start = result.best.x;
    start[worst] = std::log(problem.terms[static_cast<std::size_t>(worst)].expected);
    Solution without = RobustSolver(problem, all_rows(problem), fixed).solve(start, result.best.spread);
    // Uncertain, and yet the data contradict what was expected (a launch that is too short to be seen): kept as it is.
    if (without.objective - result.best.objective >= fits_as_well) return result;
    result.fixed = std::move(fixed);
    result.best = std::move(without);
  }
}

std::string reason(const Term& term, double uncertainty) {
  const std::string how = uncertainty < 3
                              ? fmt::format("the points leave it uncertain by a factor of {:.1f}", std::exp(uncertainty))
                              : std::string("no point depends on it");
  return term.identified_by.empty() ? how : fmt::format("{}; measure {}", how, term.identified_by);
}

std::vector<double> left_out_errors(const RobustProblem& problem, const Result& result) {
  const std::size_t n = problem.measured.size(), groups = n < few ? n : folds;
  std::vector<double> errors(n);
  for (std::size_t group = 0; group < groups; ++group) {
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < n; ++i)
      if (i % groups != group) others.push_back(i);
    const Solution s = RobustSolver(problem, others, result.fixed).solve(result.best.x);
    std::vector<double> terms(problem.terms.size());
    for (std::size_t j = 0; j < terms.size(); ++j) terms[j] = std::exp(s.x[static_cast<Eigen::Index>(j)]);
    for (std::size_t i = group; i < n; i += groups) errors[i] = problem.model(terms, i) / problem.measured[i] - 1;
  }
  return errors;
}

void check(const RobustProblem& problem) {
  std::size_t unknown = 0;
  for (const Term& term : problem.terms) unknown += term.factor > 0 ? 0 : 1;
  const std::size_t needed = std::max<std::size_t>(unknown, 2);
  if (problem.measured.size() < needed)
    throw std::invalid_argument(fmt::format("{} measurements cannot identify {} terms: at least {}", problem.measured.size(),
                                            problem.terms.size(), needed));
}

}  // namespace

std::vector<double> RobustFit::values() const {
  std::vector<double> out;
  for (const FittedTerm& term : terms) out.push_back(term.value);
  return out;
}

RobustFit robust_fit(const RobustProblem& problem) {
  check(problem);
  const Result result = fit_what_can_be(problem);
  RobustFit fit;
  fit.spread = result.best.spread;
  fit.correlation =
      Eigen::MatrixXd::Identity(static_cast<Eigen::Index>(problem.terms.size()), static_cast<Eigen::Index>(problem.terms.size()));
  Eigen::Index row = 0;
  std::vector<Eigen::Index> place(problem.terms.size(), -1);
  for (std::size_t j = 0; j < problem.terms.size(); ++j) {
    const Term& term = problem.terms[j];
    FittedTerm out{term.name, std::exp(result.best.x[static_cast<Eigen::Index>(j)]), 0, result.fixed[j], ""};
    if (out.refused) {
      out.reason = reason(term, result.uncertainty[j]);
      out.standard_error = term.factor > 0 ? out.value * std::log(term.factor) : 0;
    } else {
      place[j] = row++;
      out.standard_error = out.value * std::sqrt(result.best.covariance(place[j], place[j]));
    }
    fit.terms.push_back(out);
  }
  for (std::size_t a = 0; a < place.size(); ++a)
    for (std::size_t b = 0; b < place.size(); ++b)
      if (a != b && place[a] >= 0 && place[b] >= 0)
        fit.correlation(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b)) =
            result.best.covariance(place[a], place[b]) /
            std::sqrt(result.best.covariance(place[a], place[a]) * result.best.covariance(place[b], place[b]));
  fit.freedom = static_cast<int>(problem.measured.size()) - static_cast<int>(row);
  for (std::size_t i = 0; i < problem.measured.size(); ++i) {
    const double r = result.best.residual[static_cast<Eigen::Index>(i)];
    fit.error.push_back(std::exp(problem.times_the_scatter.empty() ? r : r * problem.times_the_scatter[i]) - 1);
    fit.outlier.push_back(std::abs(r) >= no_say * fit.spread);
  }
  fit.left_out_error = left_out_errors(problem, result);
  return fit;
}

double interval_95(int freedom) { return boost::math::quantile(boost::math::students_t(std::max(freedom, 1)), 0.975); }

}  // namespace gridlock::calibrate
