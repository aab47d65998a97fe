#include <fmt/format.h>

#include "calibrate/report/accuracy.hpp"
#include "sim/cli/calibrate_commands.hpp"
#include "sim/report/version.hpp"

namespace gridlock::cli {
namespace {

using nlohmann::ordered_json;

constexpr double most_scatter = 1.0 / 3;  // of repeats: above, what was measured is what others left

std::vector<calibrate::Accuracy> accuracies(const calibrate::Calibration& c) {
  std::vector<calibrate::Accuracy> rows;
  for (const calibrate::FittedBenchmark& benchmark : c.fits) rows.push_back(calibrate::accuracy(benchmark, c.statistic));
  return rows;
}

ordered_json term_json(const calibrate::FittedTerm& term) {
  ordered_json json{{"name", term.name}, {"fitted", !term.refused}};
  if (term.refused) {
    json["reason"] = term.reason;
  } else {
    json["value"] = term.value;
    json["standard_error"] = term.standard_error;
  }
  return json;
}

ordered_json accuracy_json(const calibrate::Accuracy& row) {
  const auto pair = [](const calibrate::Quantiles& q) { return ordered_json{{"median", q.median}, {"p90", q.ninety}}; };
  ordered_json json{{"benchmark", row.benchmark}, {"points", row.points}, {"outliers", row.outliers}, {"scatter", row.scatter}};
  if (row.before) json["before"] = pair(*row.before);
  json["after"] = pair(row.after);
  json["left_out"] = pair(row.left_out);
  return json;
}

}  // namespace

std::string calibration_text(const calibrate::Calibration& c, bool residuals) {
  std::string text;
  if (c.host)
    text += fmt::format("{}: {} threads, {:.1f} GFLOP/s fp32, {:.1f} GB/s\n\n", c.host->name, c.host->threads,
                        c.host->peak_flops * 1e-9, c.host->memory_bytes_per_s * 1e-9);
  for (const calibrate::FittedBenchmark& benchmark : c.fits) text += calibrate::term_table(benchmark.fit, c.profile);
  const std::vector<calibrate::Accuracy> rows = accuracies(c);
  text += "\n" + calibrate::accuracy_table(rows);
  for (const calibrate::Accuracy& row : rows)
    if (row.scatter > most_scatter)
      text += fmt::format("warning: repeats of {} differ by {:.0f} %: others use the machine; measure again when it is idle\n",
                          row.benchmark, 100 * row.scatter);
  for (const calibrate::FittedBenchmark& benchmark : c.fits)
    if (residuals) text += "\n" + calibrate::residual_table(benchmark, c.statistic);
  text += "\n";
  for (const std::string& sentence : c.profile.kept)
    if (sentence.find(": not fitted, ") == std::string::npos) text += sentence + "\n";  // those stand in the tables of terms
  return text;
}

ordered_json calibration_json(const calibrate::Calibration& c, const CalibrationFiles& files) {
  ordered_json json{{"schema", "gridlock.calibration/1"}, {"version", report::version()}, {"provenance", c.profile.provenance}};
  json["files"] = {{"profile", files.profile}, {"points", files.points}};
  if (c.host) {
    json["files"]["node"] = files.node;
    json["peak_flops_per_s"] = c.host->peak_flops;
    json["memory_bytes_per_s"] = c.host->memory_bytes_per_s;
  }
  for (const calibrate::FittedBenchmark& benchmark : c.fits)
    for (const calibrate::FittedTerm& term : benchmark.fit.terms) json["terms"].push_back(term_json(term));
  for (const calibrate::Accuracy& row : accuracies(c)) json["accuracy"].push_back(accuracy_json(row));
  json["kept"] = c.profile.kept;
  return json;
}

}  // namespace gridlock::cli
