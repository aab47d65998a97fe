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

std::string machine_line(const scenario::Scenario& machine, const Outcome& outcome) {
  const topology::NodeSpec& node = machine.cluster.node;
  std::string line = fmt::format("# {} ranks on {} {} of {} ({} {})", outcome.shape.ranks, outcome.shape.nodes,
                                 outcome.shape.nodes == 1 ? "node" : "nodes", node.name, node.gpus, node.gpu.name);
  if (machine.cluster.nodes > 1)
    line += fmt::format(", {} NICs of {:g} Gb/s a node", node.nics, machine.cluster.fabric.nic_bytes_per_s * 8 / gb);
  return line + fmt::format(", profile {}\n", machine.profile.name);
}

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
                    {"in_place", half},
                    {"algorithm", collectives::name(row.candidates.front().algorithm)},
                    {"protocol", collectives::name(row.candidates.front().protocol)},
                    {"time_s", row.time_s},
                    {"latency_s", row.candidates.front().latency_s},
                    {"bus_bandwidth_bytes_per_s", busbw}};
  if (!explain) return json;
  for (const Choice& choice : row.candidates) json["candidates"].push_back(candidate_json(choice));
  return json;
}

}  // namespace

std::string table_text(const scenario::Scenario& machine, const Request& request, const Outcome& outcome) {
  std::string text = fmt::format("# gridlock {}: {}, simulated\n", report::version(), nccl_tests_name(request.kind));
  text += machine_line(machine, outcome) + "#\n";
  std::vector<collectives::TableRow> rows;
  for (const Row& row : outcome.rows) rows.push_back({row.size, row.time_s});
  return text + collectives::nccl_table(request.kind, outcome.shape.ranks, rows);
}

std::string explanation_text(const Request& request, const Outcome& outcome) {
  std::string text =
      fmt::format("#\n# Choice of {} over {} ranks; time predicted = latency + size / bandwidth; chunk fill comes on top\n",
                  collectives::name(request.kind), outcome.shape.ranks);
  for (const Row& row : outcome.rows) {
    const Choice& chosen = row.candidates.front();
    text += fmt::format("#\n# {} bytes: {} with {} ({})\n", row.size.bytes, collectives::name(chosen.algorithm),
                        collectives::name(chosen.protocol), reason(row.candidates));
    text += fmt::format("#   {:<9} {:<7} {:>14} {:>17} {:>14} {:>11}\n", "algorithm", "proto", "latency (us)", "bandwidth (GB/s)",
                        "predicted (us)", "fill (us)");
    for (const Choice& choice : row.candidates) text += candidate_line(choice, static_cast<double>(row.size.bytes));
  }
  return text;
}

ordered_json outcome_json(const scenario::Scenario& machine, const Request& request, const Outcome& outcome, bool explain) {
  const auto [least, most] = std::ranges::minmax(request.sizes);
  ordered_json json{{"schema", "gridlock.collective/1"},
                    {"version", report::version()},
                    {"collective", collectives::name(request.kind)},
                    {"cluster",
                     {{"gpus", machine.gpus()},
                      {"nodes", machine.cluster.nodes},
                      {"node", machine.cluster.node.name},
                      {"gpu", machine.cluster.node.gpu.name},
                      {"profile", machine.profile.name}}},
                    {"communicator",
                     {{"ranks", outcome.shape.ranks},
                      {"nodes", outcome.shape.nodes},
                      {"ranks_per_node", outcome.shape.ranks_per_node},
                      {"rails", outcome.shape.rails}}},
                    {"config", {{"minimum_bytes", least}, {"maximum_bytes", most}}}};
  double busbw = 0;
  for (const Row& row : outcome.rows) {
    json["results"].push_back(row_json(request, outcome, row, explain));
    busbw += collectives::TableRow{row.size, row.time_s}.busbw_bytes_per_s(request.kind, outcome.shape.ranks);
  }
  json["average_bus_bandwidth"] = {{"bandwidth", busbw / gb / static_cast<double>(outcome.rows.size())}, {"okay", "unchecked"}};
  json["engine"] = {{"edge_classes", outcome.engine.edge_classes},
                    {"link_classes", outcome.engine.link_classes},
                    {"activities", outcome.engine.activities}};
  return json;
}

}  // namespace gridlock::bench
