// gridlock validate collectives: the simulator against published nccl-tests tables.

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>

#include "sim/cli/command.hpp"
#include "sim/cli/exit_codes.hpp"
#include "sim/cli/validate_commands.hpp"
#include "sim/scenario/diagnostic.hpp"
#include "sim/scenario/source.hpp"
#include "sim/validate/collectives.hpp"

namespace gridlock::cli {
namespace {

struct CollectivesOptions {
  Common common;
  std::string rows, page;
  double max_error = 0;
  std::size_t worst = 15;
};

// The goal is the median over all rows, each table weighing the same.
int judge(const validate::CollectiveScore& score, double max_error) {
  if (max_error <= 0) return ExitCode::done;
  std::vector<validate::Scored> rows;
  for (const validate::CollectiveRow& row : score.rows) rows.push_back(row.scored);
  const double median = validate::median_error(rows);
  if (median <= max_error) return ExitCode::done;
  fmt::print(stderr, "expectation failed: median error {:.1f} % is above {:.1f} %\n", 100 * median, 100 * max_error);
  return ExitCode::expectation_failed;
}

void update_page(const std::string& path, const std::string& section) {
  std::string page = scenario::read_source(path)->text;
  try {
    page = validate::replace_section(page, section);
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("{} {}", path, error.what()));
  }
  std::ofstream out(path);
  out << page;
  if (!out.flush()) throw scenario::FileError(path, fmt::format("cannot write {}", path));
}

int run(const CollectivesOptions& options) {
  const std::string file = options.rows.empty() ? validation_file("nccl.yaml") : options.rows;
  const validate::CollectiveScore score =
      validate::score_collectives(validate::read_nccl_tables(file), options.common.overrides());
  if (score.rows.empty())
    throw UsageError(
        fmt::format("{}: no table can be used{}", file, score.skipped.empty() ? "" : " (" + score.skipped.front() + ")"));
  if (!options.page.empty()) update_page(options.page, validate::collectives_markdown(score, options.worst));
  deliver(options.common, validate::collectives_text(score, options.worst), validate::collectives_json(score).dump(2) + "\n");
  return judge(score, options.max_error);
}

}  // namespace

void add_validate_collectives(CLI::App& validate, Run& chosen) {
  auto options = std::make_shared<CollectivesOptions>();
  CLI::App* command = validate.add_subcommand("collectives", "Predict published nccl-tests tables and show the errors");
  add_common_options(*command, options->common);
  command->add_option("--rows", options->rows, "tables (YAML); default: those that come with gridlock");
  command->add_option("--max-error", options->max_error, "exit with 1 when the median error is above this share")
      ->check(CLI::PositiveNumber);
  command->add_option("--page", options->page, "put summary and worst rows into this Markdown page, between its marks");
  command->add_option("--worst", options->worst, "how many of the worst rows to list")->capture_default_str();
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace gridlock::cli
