// gridlock calibrate fit-collectives LOG...: links and collectives of a cluster from its logs.

#include <fmt/format.h>

#include "calibrate/profile/calibration.hpp"
#include "sim/cli/calibrate_commands.hpp"
#include "sim/cli/exit_codes.hpp"
#include "sim/report/version.hpp"
#include "sim/scenario/diagnostic.hpp"
#include "sim/scenario/source.hpp"

namespace gridlock::cli {
namespace {

struct CollectiveFitOptions {
  std::vector<std::string> logs;
  std::string cluster, preset, output, html;
  LogRanks ranks;
  bool residuals = false, overwrite = false, json = false;
};

// A log of nccl-tests, or a file of points.
void read_into(calibrate::PointFile& all, const std::string& file, const CollectiveFitOptions& options) {
  const std::string text = scenario::read_source(file)->text;
  const bool points = text.starts_with("{\"schema\":\"gridlock.points");
  const calibrate::PointFile one =
      points ? calibrate::read_points(file) : calibrate::PointFile{{}, points_of_log(text, file, options.ranks)};
  all.points.insert(all.points.end(), one.points.begin(), one.points.end());
  for (const auto& [name, fact] : one.provenance) all.provenance.try_emplace(name, fact);
  std::string& sources = all.provenance["fitted_from"];
  sources += (sources.empty() ? "" : ", ") + file;
}

// A profile that is the preset under another name would pass for a measured one.
void require_something_fitted(const calibrate::Calibration& c, const std::string& log) {
  if (!c.profile.values.empty() || !c.profile.words.empty()) return;
  std::string why;
  for (const calibrate::FittedBenchmark& benchmark : c.fits)
    for (const calibrate::FittedTerm& term : benchmark.fit.terms) why += fmt::format("; {}: {}", term.name, term.reason);
  throw scenario::FileError(log, fmt::format("{}: nothing could be fitted{}", log, why));
}

int fit_collectives(const CollectiveFitOptions& options) {
  calibrate::GpuSetting setting;
  setting.base = options.preset;
  setting.preset = load_profile(options.preset);
  setting.cluster = load_machine(options.cluster, options.preset);
  CalibrationFiles files = calibration_files(options.output);
  calibrate::PointFile all;
  for (const std::string& log : options.logs) read_into(all, log, options);
  all.provenance["gridlock"] = report::version();
  const calibrate::Calibration c = fitted(options.logs.front(), [&] { return calibrate::calibrate_collectives(all, setting); });
  require_something_fitted(c, options.logs.front());
  make_room({files.profile}, options.overwrite);
  write_profile(c, files.profile);
  files.points = all.provenance["fitted_from"];
  if (!options.html.empty()) write_calibration_page(options.html, c, all, files, {});
  Common common;
  common.json = options.json;
  deliver(common,
          calibration_text(c, options.residuals) +
              fmt::format("\nwrote {}\nuse: gridlock run SCENARIO --profile {}\n", files.profile, files.profile),
          calibration_json(c, files).dump(2) + "\n");
  return ExitCode::done;
}

int run(const CollectiveFitOptions& options) {
  try {
    return fit_collectives(options);
  } catch (const calibrate::PointError& error) {
    throw scenario::FileError(options.logs.front(), error.what());
  }
}

}  // namespace

void add_calibrate_fit_collectives(CLI::App& calibrate, Run& chosen) {
  auto options = std::make_shared<CollectiveFitOptions>();
  CLI::App* command =
      calibrate.add_subcommand("fit-collectives", "Fit links and collectives of a cluster to logs of nccl-tests or rccl-tests");
  command->add_option("logs", options->logs, "logs, or files of points")->required();
  command->add_option("--cluster", options->cluster, "node of the catalogue, file of a node, or scenario with the cluster")
      ->required()
      ->check(file_name);
  command->add_option("--preset", options->preset, "profile whose other values stay, such as h100-sxm")->required();
  command->add_option("-o,--output", options->output, "the profile to write")->required()->check(file_name);
  add_log_options(*command, options->ranks);
  command->add_option("--html", options->html, "also write a report: measured against fitted, before and after")
      ->check(file_name);
  command->add_flag("--residuals", options->residuals, "every point with its error");
  command->add_flag("--overwrite", options->overwrite, "replace an earlier profile");
  command->add_flag("--json", options->json, "print the result as JSON instead of the tables");
  command->footer(
      "example: gridlock calibrate fit-collectives 1node.log 4nodes.log --cluster hgx-h100 --preset h100-sxm -o my-h100.yaml");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace gridlock::cli
