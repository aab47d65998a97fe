// gridlock topology SCENARIO: what was built.

#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sim/cli/command.hpp"
#include "sim/cli/exit_codes.hpp"
#include "sim/report/format.hpp"
#include "sim/report/version.hpp"
#include "sim/scenario/load.hpp"
#include "topology/dot.hpp"
#include "topology/error.hpp"
#include "topology/statistics.hpp"

namespace gridlock::cli {
namespace {

using report::bytes_per_second;

struct TopologyOptions {
  Common common;
  std::string scenario, dot;
};

std::string text_of(const topology::Fabric& fabric, const topology::Statistics& statistics,
                    const std::vector<topology::SampleRoute>& routes) {
  std::string text = fmt::format("{} GPUs in {} nodes\n\n  devices\n", report::thousands(fabric.gpu_count()), fabric.spec.nodes);
  for (const topology::VertexCount& v : statistics.vertices)
    text += fmt::format("  {:<20}{:>12}\n", topology::name(v.kind), report::thousands(static_cast<double>(v.devices)));
  text += "\n  cables, one direction each        payload of a simulated link\n";
  for (const topology::LinkCount& l : statistics.links) {
    const std::string range = l.slowest_bytes_per_s == l.fastest_bytes_per_s
                                  ? bytes_per_second(l.slowest_bytes_per_s)
                                  : bytes_per_second(l.slowest_bytes_per_s) + " to " + bytes_per_second(l.fastest_bytes_per_s);
    text += fmt::format("  {:<20}{:>12}    {} ({} links)\n", topology::name(l.kind),
                        report::thousands(static_cast<double>(l.cables)), range, report::thousands(static_cast<double>(l.links)));
  }
  if (statistics.injection_bytes_per_s > 0)
    text += fmt::format("\n  bisection {} of {} injected by half of the machine: {:.2f}\n",
                        bytes_per_second(statistics.bisection_bytes_per_s), bytes_per_second(statistics.injection_bytes_per_s),
                        statistics.bisection_bytes_per_s / statistics.injection_bytes_per_s);
  else
    text += fmt::format("\n  bisection {}\n", bytes_per_second(statistics.bisection_bytes_per_s));
  text += "\n  routes from GPU 0\n";
  for (const topology::SampleRoute& route : routes)
    text +=
        fmt::format("  {}: {}, {}\n    {}\n", route.title, bytes_per_second(topology::bottleneck_bytes_per_s(fabric, route.path)),
                    report::seconds(route.path.latency_s), topology::describe(fabric, route.path));
  return text;
}

nlohmann::ordered_json json_of(const topology::Fabric& fabric, const topology::Statistics& statistics,
                               const std::vector<topology::SampleRoute>& routes) {
  nlohmann::ordered_json json{{"schema", "gridlock.topology/1"},
                              {"version", report::version()},
                              {"gpus", fabric.gpu_count()},
                              {"nodes", fabric.spec.nodes}};
  for (const topology::VertexCount& v : statistics.vertices)
    json["devices"].push_back({{"kind", topology::name(v.kind)}, {"count", v.devices}});
  for (const topology::LinkCount& l : statistics.links)
    json["links"].push_back({{"kind", topology::name(l.kind)},
                             {"cables", l.cables},
                             {"links", l.links},
                             {"slowest_bytes_per_s", l.slowest_bytes_per_s},
                             {"fastest_bytes_per_s", l.fastest_bytes_per_s}});
  json["bisection_bytes_per_s"] = statistics.bisection_bytes_per_s;
  json["injection_bytes_per_s"] = statistics.injection_bytes_per_s;
  for (const topology::SampleRoute& route : routes)
    json["routes"].push_back({{"title", route.title},
                              {"from_gpu", route.src},
                              {"to_gpu", route.dst},
                              {"hops", topology::describe(fabric, route.path)},
                              {"bytes_per_s", topology::bottleneck_bytes_per_s(fabric, route.path)},
                              {"latency_s", route.path.latency_s}});
  return json;
}

void write_dot_file(const topology::Fabric& fabric, const std::string& name) {
  std::ofstream file(name);
  if (file)
    topology::write_dot(file, fabric, fabric.gpu_count() <= 64 ? topology::DotDetail::devices : topology::DotDetail::nodes);
  file.flush();
  if (!file) throw scenario::FileError(name, fmt::format("cannot write {}", name));
}

int run(const TopologyOptions& options) {
  const scenario::Scenario s = scenario::load_cluster(options.scenario, options.common.overrides());
  try {
    const topology::Fabric fabric = topology::build_fabric(s.cluster, s.profile.links, s.faults.links);
    const topology::Router router(fabric, s.seed);
    const topology::Statistics statistics = topology::statistics(fabric);
    const std::vector<topology::SampleRoute> routes = topology::sample_routes(fabric, router);
    if (!options.dot.empty()) write_dot_file(fabric, options.dot);
    deliver(options.common, text_of(fabric, statistics, routes), json_of(fabric, statistics, routes).dump(2) + "\n");
  } catch (const topology::SpecError& error) {
    throw scenario::InvalidScenario(scenario::locate(s, error.path, error.what(), error.help));
  }
  return ExitCode::done;
}

}  // namespace

void add_topology(CLI::App& app, Run& chosen) {
  auto options = std::make_shared<TopologyOptions>();
  CLI::App* command = app.add_subcommand("topology", "Show the cluster that a scenario builds");
  command->add_option("scenario", options->scenario, "scenario file (YAML); only its cluster is read")->required();
  add_common_options(*command, options->common);
  command->add_option("--dot", options->dot, "write a Graphviz drawing to this file");
  command->footer(
      "example: gridlock topology scenarios/quick-64xh100.yaml --dot fabric.dot && dot -Tsvg fabric.dot -o fabric.svg");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace gridlock::cli
