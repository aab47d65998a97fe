// gridlock calibrate --diff A B: which quantities differ, by how much, and by how many standard errors.

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/cli/calibrate_commands.hpp"
#include "sim/cli/exit_codes.hpp"
#include "sim/scenario/profile_parameters.hpp"

namespace gridlock::cli {
namespace {

double error_of(const model::Profile& profile, const std::string& name) {
  const auto found = profile.uncertainty.standard_errors.find(name);
  return found == profile.uncertainty.standard_errors.end() ? 0 : found->second;
}

struct Difference {
  std::string name;
  scenario::Unit unit;
  double a, b, error_a, error_b;
  double deviations() const {  // 0: no errors are known
    const double error = std::hypot(error_a, error_b);
    return error > 0 ? (b - a) / error : 0;
  }
};

std::string shown(double value, double error, scenario::Unit unit) {
  const auto number = [&](double x, int digits) {
    return scenario::format_quantity(std::stod(fmt::format("{:.{}g}", x, digits)), unit);
  };
  return error > 0 ? fmt::format("{} +- {}", number(value, 4), number(error, 2)) : number(value, 4);
}

}  // namespace

int diff_profiles(const std::string& a, const std::string& b, bool json) {
  model::Profile first = load_profile(a), second = load_profile(b);
  const auto in_a = scenario::profile_parameters(first), in_b = scenario::profile_parameters(second);
  std::vector<Difference> differences;
  for (std::size_t i = 0; i < in_a.size(); ++i)
    if (*in_a[i].value != *in_b[i].value)
      differences.push_back({in_a[i].name, in_a[i].unit, *in_a[i].value, *in_b[i].value, error_of(first, in_a[i].name),
                             error_of(second, in_a[i].name)});

  std::string text = fmt::format("{:<34}{:>30}{:>30}{:>10}  {}\n", "quantity", a, b, "change", "standard errors apart");
  nlohmann::ordered_json out{
      {"schema", "gridlock.profile_diff/1"}, {"a", a}, {"b", b}, {"differences", nlohmann::ordered_json::array()}};
  for (const Difference& d : differences) {
    const std::string change = d.a != 0 ? fmt::format("{:+.1f} %", 100 * (d.b / d.a - 1)) : "-";
    text += fmt::format("{:<34}{:>30}{:>30}{:>10}  {}\n", d.name, shown(d.a, d.error_a, d.unit), shown(d.b, d.error_b, d.unit),
                        change, d.deviations() != 0 ? fmt::format("{:.1f}", std::abs(d.deviations())) : "-");
    nlohmann::ordered_json entry{{"name", d.name}, {"a", d.a}, {"b", d.b}};
    if (d.error_a > 0) entry["a_stderr"] = d.error_a;
    if (d.error_b > 0) entry["b_stderr"] = d.error_b;
    out["differences"].push_back(std::move(entry));
  }
  if (differences.empty()) text = fmt::format("{} and {} say the same\n", a, b);
  Common common;
  common.json = json;
  deliver(common, text, out.dump(2) + "\n");
  return ExitCode::done;
}

}  // namespace gridlock::cli
