// A measured profile, and the node that it was measured on, as the files that scenarios name. Format: docs/reference/scenario.md.
#pragma once

#include <string>
#include <vector>

#include "calibrate/fit/robust_fit.hpp"
#include "calibrate/point.hpp"

namespace gridlock::calibrate {

struct ProfileValue {
  enum class Unit : std::uint8_t { ratio, seconds, bandwidth };
  std::string key;  // "gemm.ceiling"
  double value = 0;
  Unit unit = Unit::ratio;
  double standard_error = 0;  // 0: not known
};

struct ErrorCorrelation {
  std::string a, b;
  double r = 0;
};

struct MeasuredProfile {
  std::string base;                                        // preset whose other values stay
  std::string gpu;                                         // the device's name
  std::vector<std::pair<std::string, std::string>> words;  // keys that are no numbers: gemm.kind
  std::vector<ProfileValue> values;
  std::vector<ErrorCorrelation> correlations;
  std::vector<std::string> kept;  // sentences: what stays as in the preset, and why
  Provenance provenance;
};

// Takes over what a fit found: fitted terms as values with their errors and correlations, refused ones as sentences in `kept`.
// `units` by term, in the fit's order.
void add_fit(MeasuredProfile& profile, const RobustFit& fit, const std::vector<ProfileValue::Unit>& units);

std::string profile_yaml(const MeasuredProfile& profile);

// A node of one device that is a whole host.
struct MeasuredHost {
  std::string name;
  double peak_flops = 0;  // fp32
  double memory_bytes = 0, memory_bytes_per_s = 0;
  int threads = 1;
  std::vector<std::string> remarks;
};
std::string node_yaml(const MeasuredHost& host);

// "0.934", "1.25us", "18.2GBps": as the profile file writes it, six digits.
std::string quantity_text(double value, ProfileValue::Unit unit);

}  // namespace gridlock::calibrate
