#include "sim/validate/training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "sim/report/version.hpp"
#include "sim/scenario/diagnostic.hpp"
#include "sim/validate/child.hpp"

namespace gridlock::validate {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

// A file that is gone when it is no longer needed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text) {
    std::string pattern = (fs::temp_directory_path() / "gridlock-row-XXXXXX.yaml").string();
    const int file = ::mkstemps(pattern.data(), 5);
    if (file < 0) throw scenario::FileError(pattern, fmt::format("cannot write {}", pattern));
    std::fclose(::fdopen(file, "w"));
    path_ = pattern;
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

void run_case(const TrainingCase& one, const std::string& file, const std::vector<std::string>& overrides, TrainingScore& score) {
  std::vector<std::string> arguments{"run", file, "--json", "--quiet", "--ignore-memory", "--reproducible"};
  for (const std::string& change : overrides) arguments.insert(arguments.end(), {"--set", change});
  const ChildResult child = run_self(arguments);
  // An `expect:` that fails (exit code 1) is no reason to leave the row out.
  const ordered_json json =
      child.exit_code <= 1 ? ordered_json::parse(child.out, nullptr, false) : ordered_json(ordered_json::value_t::discarded);
  if (json.is_discarded()) return score.skipped.push_back(fmt::format("{}: {}", one.id, first_line(child.err)));
  if (!json.contains("measured") || json["measured"].is_null())
    return score.skipped.push_back(fmt::format("{}: says no measured step time", one.id));
  score.rows.push_back(
      {one.id, one.source, one.assumed, json["measured"]["time_s"].get<double>(), json["step"]["time_s"].get<double>()});
}

}  // namespace

std::vector<TrainingCase> published_cases(const std::string& folder) {
  std::vector<TrainingCase> cases;
  std::error_code error;
  for (const fs::directory_entry& file : fs::directory_iterator(folder, error)) {
    if (file.path().extension() != ".yaml") continue;
    const std::string id = file.path().stem().string();
    cases.push_back({id, id.substr(0, id.find('_')), file.path().string(), ""});
  }
  if (error) throw scenario::FileError(folder, fmt::format("cannot read {}: {}", folder, error.message()));
  std::ranges::sort(cases, {}, &TrainingCase::id);
  return cases;
}

TrainingScore score_training(const std::vector<TrainingCase>& cases, const std::vector<std::string>& overrides) {
  TrainingScore score;
  for (const TrainingCase& one : cases) {
    if (!one.scenario_file.empty()) {
      run_case(one, one.scenario_file, overrides, score);
    } else {
      const TemporaryFile file(one.scenario_text);
      run_case(one, file.path(), overrides, score);
    }
  }
  return score;
}

std::vector<SourceSummary> summarize(const TrainingScore& score) {
  std::map<std::string, SourceSummary> by_source;
  for (const TrainingRow& row : score.rows) {
    SourceSummary& s = by_source[row.source];
    s.source = row.source;
    ++s.rows;
    s.mean += row.error();
    s.mean_absolute += std::abs(row.error());
    if (std::abs(row.error()) > std::abs(s.worst)) s.worst = row.error();
  }
  std::vector<SourceSummary> summaries;
  for (auto& [source, s] : by_source) {
    s.mean /= static_cast<double>(s.rows);
    s.mean_absolute /= static_cast<double>(s.rows);
    summaries.push_back(s);
  }
  return summaries;
}

std::string training_text(const TrainingScore& score) {
  std::string text = fmt::format("{:<40} {:>12} {:>13} {:>9}\n", "row", "measured (s)", "predicted (s)", "error");
  for (const TrainingRow& row : score.rows)
    text += fmt::format("{:<40} {:>12.3f} {:>13.3f} {:>+7.1f} %{}\n", row.id, row.measured_s, row.predicted_s, 100 * row.error(),
                        row.assumed.empty() ? "" : fmt::format("  ({})", fmt::join(row.assumed, ", ")));
  text += fmt::format("\n{:<16} {:>5} {:>9} {:>15} {:>9}\n", "source", "rows", "mean", "mean absolute", "worst");
  for (const SourceSummary& s : summarize(score))
    text += fmt::format("{:<16} {:>5} {:>+7.1f} % {:>13.1f} % {:>+7.1f} %\n", s.source, s.rows, 100 * s.mean,
                        100 * s.mean_absolute, 100 * s.worst);
  if (!score.skipped.empty()) text += fmt::format("\nleft out\n  {}\n", fmt::join(score.skipped, "\n  "));
  return text;
}

ordered_json training_json(const TrainingScore& score) {
  ordered_json json{{"schema", "gridlock.validation.training/1"}, {"version", report::version()}};
  json["summary"] = ordered_json::array();
  for (const SourceSummary& s : summarize(score))
    json["summary"].push_back({{"source", s.source},
                               {"rows", s.rows},
                               {"mean_error", s.mean},
                               {"mean_abs_error", s.mean_absolute},
                               {"worst_error", s.worst}});
  json["rows"] = ordered_json::array();
  for (const TrainingRow& row : score.rows)
    json["rows"].push_back({{"id", row.id},
                            {"source", row.source},
                            {"measured_s", row.measured_s},
                            {"predicted_s", row.predicted_s},
                            {"error", row.error()},
                            {"assumed", row.assumed}});
  json["left_out"] = score.skipped;
  return json;
}

}  // namespace gridlock::validate
