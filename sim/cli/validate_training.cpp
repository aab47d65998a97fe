// gridlock validate training: the simulator against published training steps.

#include <fmt/format.h>

#include <cmath>

#include "sim/cli/exit_codes.hpp"
#include "sim/cli/validate_commands.hpp"
#include "sim/validate/training.hpp"

namespace gridlock::cli {
namespace {

struct TrainingOptions {
  Common common;
  std::string rows;
  double max_error = 0;
};

int judge(const validate::TrainingScore& score, double max_error) {
  if (max_error <= 0) return ExitCode::done;
  double sum = 0;
  for (const validate::TrainingRow& row : score.rows) sum += std::abs(row.error());
  const double mean = sum / static_cast<double>(score.rows.size());
  if (mean <= max_error) return ExitCode::done;
  fmt::print(stderr, "expectation failed: mean absolute error {:.1f} % is above {:.1f} %\n", 100 * mean, 100 * max_error);
  return ExitCode::expectation_failed;
}

int run(const TrainingOptions& options) {
  std::vector<std::string> skipped;
  const std::vector<validate::TrainingCase> cases =
      options.rows.empty() ? validate::published_cases(published_folder()) : validate::cases_of_rows(options.rows, skipped);
  validate::TrainingScore score = validate::score_training(cases, options.common.overrides());
  score.skipped.insert(score.skipped.begin(), skipped.begin(), skipped.end());
  if (score.rows.empty())
    throw UsageError(fmt::format("no row can be simulated{}", score.skipped.empty() ? "" : " (" + score.skipped.front() + ")"));
  deliver(options.common, validate::training_text(score), validate::training_json(score).dump(2) + "\n");
  return judge(score, options.max_error);
}

}  // namespace

void add_validate_training(CLI::App& validate, Run& chosen) {
  auto options = std::make_shared<TrainingOptions>();
  CLI::App* command = validate.add_subcommand("training", "Predict published training steps and show the errors");
  add_common_options(*command, options->common);
  command->add_option("--rows", options->rows, "measurements (YAML) instead of the published scenarios that come with gridlock");
  command->add_option("--max-error", options->max_error, "exit with 1 when the mean absolute error is above this share")
      ->check(CLI::PositiveNumber);
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace gridlock::cli
