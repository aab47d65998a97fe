#include "calibrate/profile/profile_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace gridlock::calibrate {
namespace {

constexpr double least_correlation = 0.05;

// Double quotes of YAML, which are those of JSON but for bytes that are not printable.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + "\"";
}

std::string comment(const std::string& text) {
  std::string line = text;
  std::replace_if(
      line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return "# " + line + "\n";
}

}  // namespace

std::string quantity_text(double value, ProfileValue::Unit unit) {
  switch (unit) {
    case ProfileValue::Unit::seconds:
      return fmt::format("{:.6g}us", value * 1e6);
    case ProfileValue::Unit::bandwidth:
      return fmt::format("{:.6g}GBps", value * 1e-9);
    case ProfileValue::Unit::ratio:
      break;
  }
  return fmt::format("{:.6g}", value);
}

void add_fit(MeasuredProfile& profile, const RobustFit& fit, const std::vector<ProfileValue::Unit>& units) {
  for (std::size_t j = 0; j < fit.terms.size(); ++j) {
    const FittedTerm& term = fit.terms[j];
    if (term.refused) {
      profile.kept.push_back(fmt::format("{}: not fitted, {}", term.name, term.reason));
      continue;
    }
    profile.values.push_back({term.name, term.value, units.at(j), term.standard_error});
    for (std::size_t i = 0; i < j; ++i) {
      const double r = fit.correlation(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      if (!fit.terms[i].refused && std::abs(r) >= least_correlation)
        profile.correlations.push_back({fit.terms[i].name, term.name, r});
    }
  }
}

std::string profile_yaml(const MeasuredProfile& profile) {
  std::string out =
      comment("Measured by gridlock calibrate. Values come with one standard deviation in standard_errors; what is");
  out += comment("not listed here stays as in the profile named by base.");
  for (const std::string& sentence : profile.kept) out += comment(sentence);
  if (!profile.base.empty()) out += fmt::format("base: {}\n", quoted(profile.base));
  out += fmt::format("gpu: {}\n", quoted(profile.gpu));

  std::map<std::string, std::string> sections;  // the keys of one map, by its name; "" is the top
  const auto add = [&](const std::string& key, const std::string& value) {
    const std::size_t dot = key.find('.');
    if (dot == std::string::npos) {
      sections[""] += fmt::format("{}: {}\n", key, value);
    } else {
      sections[key.substr(0, dot)] += fmt::format("  {}: {}\n", key.substr(dot + 1), value);
    }
  };
  for (const auto& [key, word] : profile.words) add(key, word);
  for (const ProfileValue& value : profile.values) add(value.key, quantity_text(value.value, value.unit));
  for (const auto& [name, text] : sections) out += name.empty() ? text : fmt::format("{}:\n{}", name, text);

  std::string errors;
  for (const ProfileValue& value : profile.values)
    if (value.standard_error > 0) errors += fmt::format("  {}: {}\n", value.key, quantity_text(value.standard_error, value.unit));
  if (!errors.empty()) out += "standard_errors:\n" + errors;
  if (!profile.correlations.empty()) out += "correlations:\n";
  for (const ErrorCorrelation& c : profile.correlations) out += fmt::format("  - {{a: {}, b: {}, r: {:.3f}}}\n", c.a, c.b, c.r);
  if (!profile.provenance.empty()) out += "provenance:\n";
  for (const auto& [name, fact] : profile.provenance) out += fmt::format("  {}: {}\n", quoted(name), quoted(fact));
  return out;
}

std::string node_yaml(const MeasuredHost& host) {
  std::string out = comment("The host that gridlock calibrate measured, as a node with one device: all its threads together.");
  out += comment("peak: the fastest matrix product, or the fitted rate; memory_bandwidth: the fastest stream; as measured.");
  out += comment("Links lead nowhere on one host: their rates are never used.");
  for (const std::string& remark : host.remarks) out += comment(remark);
  out += fmt::format("name: {}\nkind: pcie\ngpu:\n  name: {}\n", quoted(host.name), quoted(host.name));
  out += fmt::format("  peak: {{fp32: {:.6g}GFLOP/s}}\n  memory: {:.6g}GB\n  memory_bandwidth: {}\n  sms: {}\n",
                     host.peak_flops * 1e-9, host.memory_bytes * 1e-9,
                     quantity_text(host.memory_bytes_per_s, ProfileValue::Unit::bandwidth), host.threads);
  return out + "gpus: 1\nnics: 0\nsockets: 1\npcie: 32GBps\nsocket_link: 32GBps\nnic: 10Gbps\n";
}

}  // namespace gridlock::calibrate
