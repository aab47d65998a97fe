// gridlock collective KIND: nccl-tests on a simulated cluster.

#include <fmt/format.h>

#include <charconv>

#include "sim/bench/cluster_source.hpp"
#include "sim/bench/compare.hpp"
#include "sim/bench/concurrent_report.hpp"
#include "sim/bench/concurrent_spec.hpp"
#include "sim/bench/names.hpp"
#include "sim/bench/report.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/exit_codes.hpp"
#include "sim/scenario/diagnostic.hpp"
#include "sim/scenario/load.hpp"
#include "topology/error.hpp"

namespace gridlock::cli {
namespace {

struct CollectiveOptions {
  Common common;
  std::string kind, min, max, factor = "1", step = "1M", ranks, algorithm, protocol, measured, matrix;
  std::optional<double> imbalance;
  std::vector<std::string> concurrent;
  bench::ClusterName cluster;
  int channels = 0, iterations = 20, gpus_per_process = 1;
  bool no_fold = false, explain = false, two_level = false;
};

double parse_factor(const std::string& text) {
  double factor = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), factor);
  if (error != std::errc{} || end != text.data() + text.size()) throw UsageError(fmt::format("-f {}: not a number", text));
  return factor;
}

// Those asked for; else those measured; else nccl-tests' default.
std::vector<std::uint64_t> sizes_of(const CollectiveOptions& options, const std::optional<bench::NcclLog>& log) {
  std::vector<std::uint64_t> sizes;
  if (log && options.min.empty() && options.max.empty()) {
    for (const bench::MeasuredRow& row : log->rows) sizes.push_back(row.bytes);
    return sizes;
  }
  const std::string min = options.min.empty() ? "32M" : options.min, max = options.max.empty() ? min : options.max;
  return collectives::size_series(collectives::parse_size(min), collectives::parse_size(max), parse_factor(options.factor),
                                  collectives::parse_size(options.step));
}

// One name, or a list as NCCL_ALGO and NCCL_PROTO take it.
void force(collectives::Override& forced, const std::string& algorithm, const std::string& protocol) {
  const auto is_list = [](const std::string& text) { return text.find_first_of(",;:^") != std::string::npos; };
  if (is_list(algorithm))
    forced.algorithms = collectives::parse_algorithms(algorithm);
  else if (!algorithm.empty())
    forced.algorithm = collectives::parse_algorithm(algorithm);
  if (is_list(protocol))
    forced.protocols = collectives::parse_protocols(protocol);
  else if (!protocol.empty())
    forced.protocol = collectives::parse_protocol(protocol);
}

bench::Request request_of(const CollectiveOptions& options, const std::optional<bench::NcclLog>& log) {
  bench::Request request;
  request.kind = bench::parse_kind(options.kind);
  request.sizes = sizes_of(options, log);
  force(request.forced, options.algorithm, options.protocol);
  request.members = bench::parse_ranks(options.ranks);
  request.two_level = options.two_level;
  request.channels = options.channels;
  request.gpus_per_process = options.gpus_per_process;
  return request;
}

// --matrix and --imbalance.
void make_uneven(bench::Request& request, const CollectiveOptions& options, const scenario::Scenario& machine) {
  if (!options.matrix.empty()) {
    try {
      request.exchange = collectives::Exchange::weighted(collectives::parse_weights(scenario::read_source(options.matrix)->text));
    } catch (const std::invalid_argument& error) {
      throw UsageError(fmt::format("--matrix {}: {}", options.matrix, error.what()));
    }
  }
  const std::size_t ranks = request.members.empty() ? static_cast<std::size_t>(machine.gpus()) : request.members.size();
  if (options.imbalance) request.exchange = collectives::Exchange::imbalanced(ranks, *options.imbalance);
}

std::vector<std::string> warnings_of(const scenario::Scenario& machine, const bench::Request& request,
                                     const std::optional<bench::NcclLog>& log) {
  std::vector<std::string> warnings = machine.warnings;
  if (!log) return warnings;
  for (const std::string& problem : log->problems) warnings.push_back("measured: " + problem);
  if (log->kind && *log->kind != request.kind)
    warnings.push_back(
        fmt::format("measured: the log is of {}, not of {}", collectives::name(*log->kind), collectives::name(request.kind)));
  return warnings;
}

int run_together(const scenario::Scenario& machine, const bench::Request& request, const CollectiveOptions& options) {
  std::vector<bench::Request> requests{request};
  for (const std::string& spec : options.concurrent)
    requests.push_back(bench::parse_concurrent(spec, static_cast<std::size_t>(machine.gpus())));
  const bench::Together together = bench::simulate_together(machine, std::move(requests), !options.no_fold);
  if (!options.common.quiet)
    for (const std::string& warning : machine.warnings) fmt::print(stderr, "warning: {}\n", warning);
  nlohmann::ordered_json json = bench::together_json(machine, together);
  json["warnings"] = machine.warnings;
  deliver(options.common, bench::together_text(machine, together), json.dump(2) + "\n");
  return ExitCode::done;
}

int run_on(const scenario::Scenario& machine, const bench::Request& request, const std::optional<bench::NcclLog>& log,
           const CollectiveOptions& options) {
  const bench::Outcome outcome = bench::simulate(machine, request, !options.no_fold);
  const std::vector<std::string> warnings = warnings_of(machine, request, log);
  if (!options.common.quiet) {
    for (const std::string& warning : warnings) fmt::print(stderr, "warning: {}\n", warning);
  }
  std::string text = bench::table_text(machine, request, outcome);
  nlohmann::ordered_json json = bench::outcome_json(machine, request, outcome, options.explain);
  json["warnings"] = warnings;
  if (options.explain) text += bench::explanation_text(request, outcome);
  if (log) {
    const std::vector<bench::Compared> compared = bench::compare(outcome, *log);
    text += bench::comparison_text(request, outcome, compared);
    json["measured"] = bench::comparison_json(compared);
  }
  deliver(options.common, text, json.dump(2) + "\n");
  return ExitCode::done;
}

int run(const CollectiveOptions& options) {
  std::optional<scenario::Scenario> machine;
  try {
    std::optional<bench::NcclLog> log;
    if (!options.measured.empty()) log = bench::read_nccl_log(options.measured);
    bench::Request request = request_of(options, log);
    machine = bench::load_cluster(options.cluster, options.common.overrides());
    make_uneven(request, options, *machine);
    if (!options.concurrent.empty() && options.explain)
      throw UsageError("--explain is of one collective: leave --concurrent out");
    if (!options.concurrent.empty()) return run_together(*machine, request, options);
    return run_on(*machine, request, log, options);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  } catch (const topology::SpecError& error) {
    if (!machine) throw;
    throw scenario::InvalidScenario(scenario::locate(*machine, error.path, error.what(), error.help));
  }
}

}  // namespace

void add_collective(CLI::App& app, Run& chosen) {
  auto options = std::make_shared<CollectiveOptions>();
  CLI::App* command = app.add_subcommand("collective", "Time a collective at several sizes, as nccl-tests prints it");
  command
      ->add_option("kind", options->kind,
                   "all-reduce, reduce-scatter, all-gather, broadcast, reduce, all-to-all, send-recv, gather or scatter")
      ->required();
  command->add_option("--cluster", options->cluster.name, "scenario file, or a node of the catalogue such as hgx-h100")
      ->required();
  command->add_option("--nodes", options->cluster.nodes, "number of nodes (default: the scenario's, or 1)")
      ->check(CLI::Range(1, 1 << 20));
  command->add_option("--profile", options->cluster.profile, "profile (default: the scenario's, or the one of the node's GPU)");
  add_common_options(*command, options->common);
  command->add_option("-b,--minbytes", options->min,
                      "smallest size; K, M and G are powers of 1024 (default: 32M, or the sizes measured)");
  command->add_option("-e,--maxbytes", options->max, "largest size (default: the smallest)");
  command->add_option("-f,--stepfactor", options->factor, "factor between sizes")->capture_default_str();
  command->add_option("-i,--stepbytes", options->step, "step between sizes where the factor is 1")->capture_default_str();
  command->add_option("-n,--iters", options->iterations, "accepted as nccl-tests does; simulated calls all take the same time")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("-g,--ngpus", options->gpus_per_process,
                   "GPUs that one process drives: its launches bound the rate of small calls")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command->add_option("--ranks", options->ranks, "ranks of the communicator, such as 0-7,16 (default: one on every GPU)");
  command->add_option("--algo", options->algorithm,
                      "force ring, tree, nvls, nvlstree, pat, collnetdirect or collnetchain, or allow a list as NCCL_ALGO does");
  command->add_option("--proto", options->protocol, "force ll, ll128 or simple, or allow a list as NCCL_PROTO does");
  command->add_option("--channels", options->channels, "channels of rings; 1 = one flat ring (default: as NCCL lays them)")
      ->check(CLI::Range(1, 64));
  auto* measured = command->add_option("--measured", options->measured,
                                       "nccl-tests log (text or JSON) to print beside, with the error of every size");
  command->add_flag("--two-level", options->two_level,
                    "as frameworks compose it: calls inside the nodes and across them (all-to-all: over rails, then NVLink)");
  auto* matrix = command->add_option("--matrix", options->matrix,
                                     "uneven all-to-all: file of weights, a row for each sender; rows send the size on average");
  command->add_option("--imbalance", options->imbalance, "uneven all-to-all: rank 0 receives this many times the mean")
      ->excludes(matrix);
  command
      ->add_option("--concurrent", options->concurrent,
                   "another collective at the same time, such as all-to-all:ranks=8-15:size=64M; may be repeated")
      ->excludes(measured);
  command->add_flag("--explain", options->explain, "every candidate with its latency and bandwidth, and why the winner won");
  command->add_flag("--no-fold", options->no_fold, "simulate every rank and link on its own");
  command->footer("example: gridlock collective all-reduce -b 8 -e 8G -f 2 --cluster hgx-h100 --nodes 4 --explain");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace gridlock::cli
