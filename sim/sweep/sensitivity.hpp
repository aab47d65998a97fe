// What the step time depends on: every sort of cable and every number of the profile and the GPU, changed by a tenth each way and
// simulated again.
//
//   d(step)/d(log x) = (t(1.1 x) - t(x / 1.1)) / (2 ln 1.1), one-sided where one of them cannot be
//   elasticity       = d(step)/d(log x) / step: -0.2 means that one percent more of x makes the step 0.2 percent shorter
//
// Worked example: a step of 1 s of which 0.3 s is bound by x: t(1.1 x) = 0.9727, t(x / 1.1) = 1.03, derivative -0.3005 s.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/scenario.hpp"
#include "sim/sweep/workers.hpp"

namespace gridlock::sweep {

inline constexpr double change = 1.1;

struct Parameter {
  std::string cable;            // "NIC - leaf"; empty: a value of the scenario
  std::string path;             // "profile.gemm.ceiling"
  std::string now, more, less;  // its values, as --set takes them
  std::string name() const { return cable.empty() ? path : cable; }
};

struct Effect {
  Parameter parameter;
  std::optional<double> more_s, less_s;  // step time with a tenth more, and a tenth less; nothing where that cannot be simulated
  double derivative_s = 0, elasticity = 0;
};

// The cables that `base` uses, then the numbers of profile and GPU that are not zero.
std::vector<Parameter> parameters_of(const scenario::Scenario& s, const Point& base);

// Largest first. Throws Interrupted.
std::vector<Effect> find_effects(Workers& workers, const std::vector<Parameter>& parameters, const Point& base);

std::string effects_text(const std::vector<Effect>& effects, const Point& base);
nlohmann::ordered_json effects_json(const std::vector<Effect>& effects, const Point& base);

}  // namespace gridlock::sweep
