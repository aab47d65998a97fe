// gridlock calibrate import FILE: logs and dumps of a machine that cannot be reached, as points or as a node of the catalogue.

#include <fmt/format.h>

#include <sstream>

#include "calibrate/import/gemm_csv.hpp"
#include "calibrate/import/node_topology.hpp"
#include "sim/cli/calibrate_commands.hpp"
#include "sim/cli/exit_codes.hpp"
#include "sim/scenario/diagnostic.hpp"
#include "sim/scenario/quantity.hpp"
#include "sim/scenario/source.hpp"

namespace gridlock::cli {
namespace {

struct ImportOptions {
  std::string file, output, gpu, nvlink, pcie, nic;
  LogRanks ranks;
};

std::optional<double> rate(const std::string& text, const char* option, scenario::Unit unit) {
  if (text.empty()) return std::nullopt;
  const auto parsed = scenario::parse_quantity(text, unit);
  if (const auto* error = std::get_if<scenario::QuantityError>(&parsed))
    throw UsageError(fmt::format("{} {}: {}; {}", option, text, error->message, error->help));
  const double value = std::get<scenario::Quantity>(parsed).value;
  if (!(value > 0)) throw UsageError(fmt::format("{} {}: must be more than zero", option, text));
  return value;
}

std::string points_text(const std::vector<calibrate::Point>& points, const ImportOptions& options) {
  std::string text = calibrate::header_line({{"imported_from", options.file}}) + "\n";
  for (const calibrate::Point& point : points) text += calibrate::point_line(point) + "\n";
  return text;
}

// By what the file begins with: XML, a matrix of GPUs, a CSV of products; else a log of nccl-tests or rccl-tests.
std::string imported(const std::string& text, const ImportOptions& options) {
  const calibrate::NodeRates rates{options.gpu, rate(options.nvlink, "--nvlink", scenario::Unit::bandwidth),
                                   rate(options.pcie, "--pcie", scenario::Unit::bandwidth),
                                   rate(options.nic, "--nic", scenario::Unit::network)};
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '<')
    return calibrate::node_yaml(calibrate::read_nccl_topology(text, options.file), rates, "NCCL's topology dump " + options.file);
  std::string heading;
  std::istringstream in(text);
  while (std::getline(in, heading) && (heading.empty() || heading.front() == '#')) continue;
  if (heading.find("GPU0") != std::string::npos)
    return calibrate::node_yaml(calibrate::read_topology_matrix(text, options.file), rates,
                                "nvidia-smi topo -m, " + options.file);
  if (heading.find(',') != std::string::npos && heading.find("dtype") != std::string::npos) {
    std::istringstream csv(text);
    return points_text(calibrate::read_gemm_csv(csv, options.file), options);
  }
  return points_text(points_of_log(text, options.file, options.ranks), options);
}

int run(const ImportOptions& options) {
  const std::string text = scenario::read_source(options.file)->text;
  Common common;
  common.output = options.output;
  std::string out;
  try {
    out = imported(text, options);
  } catch (const calibrate::ImportError& error) {
    throw scenario::FileError(options.file, error.what());
  } catch (const calibrate::PointError& error) {
    throw scenario::FileError(options.file, error.what());
  }
  if (options.output.empty()) {
    deliver(common, out, "");
  } else {
    write_output(common, out);
  }
  return ExitCode::done;
}

}  // namespace

void add_calibrate_import(CLI::App& calibrate, Run& chosen) {
  auto options = std::make_shared<ImportOptions>();
  CLI::App* command = calibrate.add_subcommand(
      "import", "Points from a log of nccl-tests or a CSV of products; a node from nvidia-smi topo -m or NCCL's topology dump");
  command->add_option("file", options->file, "the log, CSV, matrix or XML file")->required();
  command->add_option("-o,--output", options->output, "file to write (default: standard output)")->check(file_name);
  add_log_options(*command, options->ranks);
  command->add_option("--gpu", options->gpu, "GPU of the catalogue that the node has, such as h100-sxm");
  command->add_option("--nvlink", options->nvlink, "NVLink rate of a GPU, one direction, such as 450GBps");
  command->add_option("--pcie", options->pcie, "PCIe rate of a link, one direction, such as 63GBps");
  command->add_option("--nic", options->nic, "port rate of a NIC, such as 400Gbps");
  command->footer("example: gridlock calibrate import topo.xml --gpu h100-sxm -o my-node.yaml");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace gridlock::cli
