// gridlock calibrate: measures this machine and writes a profile; --diff compares two.

#include <fmt/format.h>

#include <fstream>

#include "calibrate/measure/device.hpp"
#include "sim/cli/calibrate_commands.hpp"
#include "sim/cli/exit_codes.hpp"
#include "sim/scenario/diagnostic.hpp"

namespace gridlock::cli {
namespace {

struct CommandOptions {
  CalibrateOptions calibrate;
  std::vector<std::string> diff;
};

std::string typed_command() {
  std::ifstream file("/proc/self/cmdline");
  std::string text, word;
  while (std::getline(file, word, '\0')) text += (text.empty() ? "" : " ") + word;
  return text;
}

int run(CommandOptions& options) {
  CalibrateOptions& c = options.calibrate;
  if (!options.diff.empty()) return diff_profiles(options.diff[0], options.diff[1], c.json);
  if (c.device.empty()) throw UsageError("say what to measure, such as --device cpu -o my-cpu.yaml, or compare with --diff A B");
  if (c.output.empty()) throw UsageError(fmt::format("say where the profile goes, such as -o my-{}.yaml", c.device));
  if (!c.cpu() && c.preset.empty())
    throw UsageError("say which profile the GPU's links and collectives come from, such as --preset h200-sxm");
  if (!c.cpu() && c.verify)
    throw UsageError("--verify measures a CPU; for a GPU, measure the plan held-out and give it to --against");
  if (c.verify && !c.against.empty()) throw UsageError("--verify measures what --against reads: one of them");
  if (c.cpu() && !c.cluster.empty()) throw UsageError("--cluster names the machine of a GPU; a CPU host is measured whole");
  if (c.verify && !c.points.empty())
    throw UsageError("--verify measures again: not with --points, which may come from elsewhere");
  c.command = typed_command();
  try {
    return run_calibration(c);
  } catch (const calibrate::DeviceMissing& error) {
    throw scenario::FileError("device", error.what());
  } catch (const calibrate::PointError& error) {
    throw scenario::FileError(c.output, error.what());
  }
}

}  // namespace

void add_calibrate(CLI::App& app, Run& chosen) {
  CLI::App* command = app.add_subcommand("calibrate", "Measure this machine and write a profile that simulations use");
  command->require_subcommand(0, 1);
  auto options = std::make_shared<CommandOptions>();
  CalibrateOptions& c = options->calibrate;
  command->add_option("--device", c.device, "what to measure")->check(CLI::IsMember({"cpu", "cuda"}));
  command->add_option("-o,--output", c.output, "the profile to write; NAME.node.yaml and NAME.points.jsonl go beside it")
      ->check(file_name);
  command->add_flag("--verify", c.verify, "then measure 30 unseen shapes and compare; exit with 1 when the errors are large");
  command
      ->add_option("--against", c.against,
                   "points of other shapes to hold the fit against; exit with 1 when the errors are large")
      ->check(file_name);
  command->add_option("--points", c.points, "fit these measured points instead of measuring")->check(file_name);
  command->add_option("--preset", c.preset, "profile whose other values a GPU's keeps, such as h200-sxm");
  command->add_option("--cluster", c.cluster, "node of the GPU, or scenario with it: links and collectives are fitted, too")
      ->check(file_name);
  command->add_option("--html", c.html, "also write a report: measured against fitted, before and after")->check(file_name);
  command->add_option("--plan", c.plan, "what to measure on a GPU")
      ->check(CLI::IsMember({"quick", "full"}))
      ->capture_default_str();
  command->add_option("--threads", c.threads, "threads of the CPU (default: all, or 1 where more are no faster)")
      ->check(CLI::Range(1, 4096));
  command->add_option("--blas", c.blas, "BLAS library to load (default: OpenBLAS)")->check(file_name);
  command->add_option("--shapes", c.shapes, "matrix products to measure")->check(CLI::Range(10, 10000))->capture_default_str();
  command->add_option("--seed", c.seed, "seed of the shapes")->capture_default_str();
  command->add_flag("--residuals", c.residuals, "every point with its error");
  command->add_flag("--overwrite", c.overwrite, "replace the files of an earlier calibration");
  command->add_option("--diff", options->diff, "compare two profiles: names or files")->expected(2);
  command->add_flag("--json", c.json, "print the result as JSON instead of the tables");
  command->add_flag("-q,--quiet", c.quiet, "no progress");
  command->footer("example: gridlock calibrate --device cpu -o my-cpu.yaml --verify");
  // Also called when a sub-command was chosen, after the sub-command's own.
  command->callback([options, command, &chosen] {
    if (command->get_subcommands().empty()) chosen = [options] { return run(*options); };
  });
  add_calibrate_fit_collectives(*command, chosen);
  add_calibrate_fit_gemm(*command, chosen);
  add_calibrate_import(*command, chosen);
}

}  // namespace gridlock::cli
