// gridlock collective KIND: nccl-tests on a simulated cluster.

#include <fmt/format.h>

#include <charconv>

#include "sim/bench/benchmark.hpp"
#include "sim/bench/cluster_source.hpp"
#include "sim/bench/compare.hpp"
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
  std::string kind, min, max, factor = "1", step = "1M", ranks, algorithm, protocol, measured;
  bench::ClusterName cluster;
  int channels = 0, iterations = 20, gpus_per_process = 1;
  bool no_fold = false, explain = false;
};

// "0-7,16" as numbers.
std::vector<std::uint32_t> parse_ranks(const std::string& text) {
  const auto fail = [&](std::string_view part) -> UsageError {
    return UsageError(fmt::format("--ranks {}: '{}' is not a rank or a range; write 0-7,16", text, part));
  };
  std::vector<std::uint32_t> ranks;
  for (std::string_view rest = text; !text.empty();) {
    const std::string_view part = rest.substr(0, rest.find(','));
    std::uint32_t first = 0, last = 0;
    const char* end = part.data() + part.size();
    auto [at, error] = std::from_chars(part.data(), end, first);
    last = first;
    if (error == std::errc{} && at != end && *at == '-') {
      const auto second = std::from_chars(at + 1, end, last);
      at = second.ptr, error = second.ec;
    }
    if (error != std::errc{} || at != end || last < first || last - first > 1u << 20) throw fail(part);
    for (std::uint32_t rank = first; rank <= last; ++rank) ranks.push_back(rank);
    if (part.size() == rest.size()) return ranks;
    rest.remove_prefix(part.size() + 1);
  }
  return ranks;
}

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

bench::Request request_of(const CollectiveOptions& options, const std::optional<bench::NcclLog>& log) {
  bench::Request request;
  request.kind = bench::parse_kind(options.kind);
  request.sizes = sizes_of(options, log);
  if (!options.algorithm.empty()) request.forced.algorithm = bench::parse_algorithm(options.algorithm);
  if (!options.protocol.empty()) request.forced.protocol = bench::parse_protocol(options.protocol);
  request.members = parse_ranks(options.ranks);
  request.channels = options.channels;
  request.gpus_per_process = options.gpus_per_process;
  return request;
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
    const bench::Request request = request_of(options, log);
    machine = bench::load_cluster(options.cluster, options.common.overrides());
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
  command->add_option("kind", options->kind, "all-reduce, reduce-scatter, all-gather, broadcast, reduce, all-to-all or send-recv")
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
  command->add_option("--algo", options->algorithm, "force ring, tree, nvls, nvlstree or pat");
  command->add_option("--proto", options->protocol, "force ll, ll128 or simple");
  command->add_option("--channels", options->channels, "channels of rings; 1 = one flat ring (default: as NCCL lays them)")
      ->check(CLI::Range(1, 64));
  command->add_option("--measured", options->measured,
                      "nccl-tests log (text or JSON) to print beside, with the error of every size");
  command->add_flag("--explain", options->explain, "every candidate with its latency and bandwidth, and why the winner won");
  command->add_flag("--no-fold", options->no_fold, "simulate every rank and link on its own");
  command->footer("example: gridlock collective all-reduce -b 8 -e 8G -f 2 --cluster hgx-h100 --nodes 4 --explain");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace gridlock::cli
