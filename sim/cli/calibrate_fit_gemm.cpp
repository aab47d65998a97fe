// gridlock calibrate fit-gemm FILE: the GEMM terms of a profile from measured matrix multiplications.

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "calibrate/fit/gemm_fit.hpp"
#include "calibrate/fit/gemm_samples.hpp"
#include "sim/cli/calibrate_commands.hpp"
#include "sim/cli/exit_codes.hpp"
#include "sim/report/version.hpp"
#include "sim/scenario/load.hpp"
#include "topology/error.hpp"

namespace gridlock::cli {
namespace {

struct FitOptions {
  Common common;
  std::string samples, scenario, precision = "bf16";
  double operand_bytes = 2;
};

int fit_gemm(const FitOptions& options) {
  // Peak, SMs and HBM of the GPU, and the HBM efficiency of the profile, from the scenario.
  const scenario::Scenario s = scenario::load_cluster(options.scenario, options.common.overrides());
  calibrate::GemmSetting setting;
  try {
    setting.device = model::device(s.cluster.node.gpu, options.precision);
  } catch (const topology::SpecError& error) {
    throw UsageError(error.what());
  }
  setting.memory = s.profile.memory;
  setting.operand_bytes = options.operand_bytes;

  std::ifstream file(options.samples);
  if (!file) throw scenario::FileError(options.samples, fmt::format("cannot read {}: {}", options.samples, std::strerror(errno)));
  std::vector<calibrate::GemmSample> samples;
  try {
    samples = calibrate::read_gemm_samples(file, options.samples);
  } catch (const calibrate::SampleError& error) {
    throw scenario::FileError(options.samples, error.what());
  }
  if (samples.size() < 2)
    throw scenario::FileError(options.samples,
                              fmt::format("{}: one shape cannot identify the terms; give at least two", options.samples));
  const calibrate::GemmFit fit = calibrate::fit_gemm(samples, setting);

  nlohmann::ordered_json json{{"schema", "gridlock.gemm_fit/1"},
                              {"version", report::version()},
                              {"gpu", s.cluster.node.gpu.name},
                              {"precision", options.precision}};
  json["terms"] = {{"ceiling", fit.model.ceiling},
                   {"tile_traffic", fit.model.tile_traffic},
                   {"wave_s", fit.model.wave_s},
                   {"launch_s", fit.model.launch_s},
                   {"overlap_exponent", fit.model.overlap_exponent}};
  const model::GemmModel& e = fit.standard_error;
  json["standard_errors"] = {{"ceiling", e.ceiling},
                             {"tile_traffic", e.tile_traffic},
                             {"wave_s", e.wave_s},
                             {"launch_s", e.launch_s},
                             {"overlap_exponent", e.overlap_exponent}};
  json["error_rms"] = calibrate::root_mean_square(fit.error);
  json["left_out_error_rms"] = calibrate::root_mean_square(fit.left_out_error);
  json["left_out_error_median"] = calibrate::median_magnitude(fit.left_out_error);
  for (std::size_t i = 0; i < samples.size(); ++i)
    json["shapes"].push_back({{"m", samples[i].m},
                              {"n", samples[i].n},
                              {"k", samples[i].k},
                              {"measured_s", samples[i].seconds},
                              {"error", fit.error[i]},
                              {"left_out_error", fit.left_out_error[i]}});
  deliver(options.common, calibrate::fit_report(samples, setting, fit) + "\n" + calibrate::fit_yaml(fit), json.dump(2) + "\n");
  return ExitCode::done;
}

}  // namespace

void add_calibrate_fit_gemm(CLI::App& calibrate, Run& chosen) {
  auto options = std::make_shared<FitOptions>();
  CLI::App* command = calibrate.add_subcommand("fit-gemm", "Fit the GEMM terms of a profile to measured shapes");
  command->add_option("samples", options->samples, "CSV of measured shapes: m,n,k,tflops")->required();
  command->add_option("--cluster", options->scenario, "scenario file whose GPU and HBM efficiency to use")->required();
  command->add_option("--precision", options->precision, "dense peak that the measurements are held against")
      ->capture_default_str();
  command->add_option("--operand-bytes", options->operand_bytes, "bytes of an input element (1 for fp8)")->capture_default_str();
  add_common_options(*command, options->common);
  command->footer(
      "example: gridlock calibrate fit-gemm scenarios/profiles/data/h100-fp8-gemm.csv --cluster scenarios/hello-8xh100.yaml "
      "--precision fp8 --operand-bytes 1");
  command->callback([options, &chosen] { chosen = [options] { return fit_gemm(*options); }; });
}

}  // namespace gridlock::cli
