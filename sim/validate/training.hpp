// Published training steps against simulated ones: each row is a scenario that a child process runs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gridlock::validate {

struct TrainingCase {
  std::string id, source;                 // source: "kork" of "kork_175B_full"
  std::string scenario_file;              // to be run as it is, or
  std::string scenario_text;              // the text of a scenario
  std::vector<std::string> assumed = {};  // what the row leaves open and how it was filled in
};

struct TrainingRow {
  std::string id, source;
  std::vector<std::string> assumed;
  double measured_s = 0, predicted_s = 0;
  double error() const { return predicted_s / measured_s - 1; }
};

struct SourceSummary {
  std::string source;
  std::size_t rows = 0;
  double mean = 0, mean_absolute = 0, worst = 0;  // of the signed error; worst keeps its sign
};

struct TrainingScore {
  std::vector<TrainingRow> rows;
  std::vector<std::string> skipped;  // "row: why"
};

// The scenarios of a folder that say what was measured, by name.
std::vector<TrainingCase> published_cases(const std::string& folder);

// Rows of a file of measurements (training_rows.hpp). What cannot be simulated goes to `skipped`.
std::vector<TrainingCase> cases_of_rows(const std::string& path, std::vector<std::string>& skipped);

TrainingScore score_training(const std::vector<TrainingCase>& cases, const std::vector<std::string>& overrides);

std::vector<SourceSummary> summarize(const TrainingScore& score);
std::string training_text(const TrainingScore& score);
nlohmann::ordered_json training_json(const TrainingScore& score);

}  // namespace gridlock::validate
