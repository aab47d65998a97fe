#include "sim/bench/report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/bench/names.hpp"
#include "sim/bench/units.hpp"
#include "sim/report/format.hpp"
#include "sim/report/version.hpp"

namespace gridlock::bench {
namespace {

using collectives::Choice;
using nlohmann::ordered_json;

// nccl-tests 2.16 and later: JSON_FILE_VERSION of src/util.cu.
constexpr int nccl_tests_json_version = 3;

// Latency and bandwidth term by which the tuner judges, and the estimate.
std::string candidate_line(const Choice& choice, double bytes) {
  const double startup = choice.tuner_latency_s, transfer = choice.predicted_s - startup;
  const std::string bandwidth = transfer > 0 ? fmt::format("{:.2f}", bytes / transfer / gb) : "-";
  return fmt::format("#   {:<9} {:<7} {:>14.2f} {:>17} {:>14.2f} {:>11.2f}\n", collectives::name(choice.algorithm),
                     collectives::name(choice.protocol), startup / us, bandwidth, choice.predicted_s / us, choice.fill_s / us);
}

std::string reason(const std::vector<Choice>& candidates) {
  if (candidates.size() == 1) return "the only one possible";
  return fmt::format("smallest prediction, {:.2f} times faster than the next",
                     candidates[1].predicted_s / candidates[0].predicted_s);
}

ordered_json half_json(double time_s, double algbw, double busbw) {
  return {{"time", time_s / us}, {"alg_bw", algbw / gb}, {"bus_bw", busbw / gb}, {"nwrong", nullptr}};
}

ordered_json candidate_json(const Choice& choice) {
  return {{"algorithm", collectives::name(choice.algorithm)},
          {"protocol", collectives::name(choice.protocol)},
          {"latency_s", choice.tuner_latency_s},
          {"fill_s", choice.fill_s},
          {"predicted_s", choice.predicted_s}};
}

ordered_json row_json(const Request& request, const Outcome& outcome, const Row& row, bool explain) {
  const collectives::TableRow table{row.size, row.time_s};
  const double busbw = table.busbw_bytes_per_s(request.kind, outcome.shape.ranks);
  const ordered_json half = half_json(row.time_s, table.algbw_bytes_per_s(), busbw);
  ordered_json json{{"size", row.size.bytes},
                    {"count", row.size.count},
                    {"type", "float"},
                    {"redop", reduces(request.kind) ? "sum" : "none"},
                    {"root", has_root(request.kind) ? "0" : "-1"},
                    {"out_of_place", half},
                    {"in_place", half}};
  add_way(json, row);
  json["time_s"] = row.time_s;
  if (row.phases.empty()) json["latency_s"] = row.candidates.front().latency_s;
  json["bus_bandwidth_bytes_per_s"] = busbw;
  if (explain)
    for (const Choice& choice : row.candidates) json["candidates"].push_back(candidate_json(choice));
  return json;
}

std::string candidates_text(std::string_view title, const std::vector<Choice>& candidates, double bytes) {
  const Choice& chosen = candidates.front();
  std::string text = fmt::format("#\n# {}: {} with {} ({})\n", title, collectives::name(chosen.algorithm),
                                 collectives::name(chosen.protocol), reason(candidates));
  text += fmt::format("#   {:<9} {:<7} {:>14} {:>17} {:>14} {:>11}\n", "algorithm", "proto", "latency (us)", "bandwidth (GB/s)",
                      "predicted (us)", "fill (us)");
  for (const Choice& choice : candidates) text += candidate_line(choice, bytes);
  return text;
}

}  // namespace

std::string table_text(const scenario::Scenario& machine, const Request& request, const Outcome& outcome) {
  std::string text = fmt::format("# gridlock {}: {}{}, simulated\n", report::version(), nccl_tests_name(request.kind),
                                 request.two_level  ? " in two levels"
                                 : request.exchange ? ", uneven"
                                                    : "");
  text += machine_line(machine, outcome.shape) + "#\n";
  std::vector<collectives::TableRow> rows;
  for (const Row& row : outcome.rows) rows.push_back({row.size, row.time_s});
  return text + collectives::nccl_table(request.kind, outcome.shape.ranks, rows);
}

std::string explanation_text(const Request& request, const Outcome& outcome) {
  std::string text =
      fmt::format("#\n# Choice of {} over {} ranks; time predicted = latency + size / bandwidth; chunk fill comes on top\n",
                  collectives::name(request.kind), outcome.shape.ranks);
  for (const Row& row : outcome.rows) {
    if (row.phases.empty())
      text += candidates_text(fmt::format("{} bytes", row.size.bytes), row.candidates, static_cast<double>(row.size.bytes));
    for (const Phase& phase : row.phases)
      text += candidates_text(fmt::format("{} bytes, {} of {:.0f} {}, {:.2f} us", row.size.bytes, collectives::name(phase.kind),
                                          phase.bytes, phase.where, phase.time_s / us),
                              phase.candidates, phase.bytes);
  }
  return text;
}

std::string machine_line(const scenario::Scenario& machine, const collectives::CommunicatorShape& shape) {
  const topology::NodeSpec& node = machine.cluster.node;
  std::string line = fmt::format("# {} ranks on {} {} of {} ({} {})", shape.ranks, shape.nodes,
                                 shape.nodes == 1 ? "node" : "nodes", node.name, node.gpus, node.gpu.name);
  if (machine.cluster.nodes > 1)
    line += fmt::format(", {} NICs of {:g} Gb/s a node", node.nics, machine.cluster.fabric.nic_bytes_per_s * 8 / gb);
  return line + fmt::format(", profile {}\n", machine.profile.name);
}

ordered_json cluster_json(const scenario::Scenario& machine) {
  return {{"gpus", machine.gpus()},
          {"nodes", machine.cluster.nodes},
          {"node", machine.cluster.node.name},
          {"gpu", machine.cluster.node.gpu.name},
          {"profile", machine.profile.name}};
}

ordered_json engine_json(const EngineFigures& engine) {
  return {{"edge_classes", engine.edge_classes}, {"link_classes", engine.link_classes}, {"activities", engine.activities}};
}

void add_way(ordered_json& json, const Row& row) {
  if (row.phases.empty()) {
    json["algorithm"] = collectives::name(row.candidates.front().algorithm);
    json["protocol"] = collectives::name(row.candidates.front().protocol);
  }
  for (const Phase& phase : row.phases)
    json["phases"].push_back({{"where", phase.where},
                              {"collective", collectives::name(phase.kind)},
                              {"size", phase.bytes},
                              {"algorithm", collectives::name(phase.candidates.front().algorithm)},
                              {"protocol", collectives::name(phase.candidates.front().protocol)},
                              {"time_s", phase.time_s}});
}

ordered_json outcome_json(const scenario::Scenario& machine, const Request& request, const Outcome& outcome, bool explain) {
  const auto [least, most] = std::ranges::minmax(request.sizes);
  ordered_json json{{"schema", "gridlock.collective/1"},
                    {"version", nccl_tests_json_version},
                    {"gridlock_version", report::version()},
                    {"args", {nccl_tests_name(request.kind)}},
                    {"collective", collectives::name(request.kind)},
                    {"cluster", cluster_json(machine)},
                    {"communicator",
                     {{"ranks", outcome.shape.ranks},
                      {"nodes", outcome.shape.nodes},
                      {"ranks_per_node", outcome.shape.ranks_per_node},
                      {"rails", outcome.shape.rails}}},
                    {"config", {{"ngpus", request.gpus_per_process}, {"minimum_bytes", least}, {"maximum_bytes", most}}}};
  double busbw = 0;
  for (const Row& row : outcome.rows) {
    json["results"].push_back(row_json(request, outcome, row, explain));
    busbw += collectives::TableRow{row.size, row.time_s}.busbw_bytes_per_s(request.kind, outcome.shape.ranks);
  }
  json["out_of_bounds"] = {{"count", 0}, {"okay", "true"}};
  json["average_bus_bandwidth"] = {{"bandwidth", busbw / gb / static_cast<double>(outcome.rows.size())}, {"okay", "unchecked"}};
  json["engine"] = engine_json(outcome.engine);
  return json;
}

}  // namespace gridlock::bench
