#include "sim/whatif/change.hpp"

#include <algorithm>

#include "sim/analysis/breakdown.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/parallel/step_builder.hpp"

namespace gridlock::whatif {
namespace {

bool lists(const std::vector<std::string>& labels, const std::string& label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

// Labels of the transfers that a message carries.
bool carries(const parallel::StepGraph& graph, const parallel::Message& message, const std::vector<std::string>& labels) {
  const parallel::Program& program = graph.programs[graph.rank_program[message.from]];
  return std::any_of(program.tasks.begin(), program.tasks.end(), [&](const parallel::Task& task) {
    return task.kind == parallel::TaskKind::send && task.slot == message.slot && lists(labels, graph.transfers[task.what].label);
  });
}

void drop_latency(const parallel::StepGraph& graph, parallel::Traffic& traffic, const std::vector<std::string>& labels) {
  if (labels.empty()) return;
  for (std::size_t i = 0; i < traffic.plans.size(); ++i)
    if (lists(labels, graph.calls[i % traffic.calls].label)) traffic.plans[i].choice.latency_s = 0;
  for (std::size_t m = 0; m < graph.messages.size(); ++m)
    if (carries(graph, graph.messages[m], labels)) traffic.edges[traffic.message_edge[m]].latency_s = 0;
}

void speed_channels(const parallel::StepGraph& graph, parallel::Traffic& traffic, const Change& change) {
  for (std::size_t i = 0; i < traffic.plans.size(); ++i)
    if (lists(change.channels, graph.calls[i % traffic.calls].label))
      traffic.plans[i].choice.bus_cap_bytes_per_s *= change.bandwidth_factor;
}

Outcome measure(const engine::Simulation& simulation) {
  const analysis::History history(simulation.problem, simulation.timeline);
  const analysis::LinkLoads loads = analysis::measure_loads(history);
  const analysis::Bottlenecks bottlenecks(history, loads);
  const analysis::Breakdown breakdown = analysis::break_down(history, bottlenecks);
  Outcome outcome{simulation.timeline.step_seconds(), breakdown.mean, {}};
  std::map<std::string, std::vector<bool>> bounding;  // by label: link classes
  for (std::size_t k = 0; k < breakdown.ranks.size(); ++k)
    for (const analysis::Wait& wait : breakdown.ranks[k].waits) {
      if (!analysis::is_exposed(wait.state)) continue;
      Exposure& exposure = outcome.exposures[wait.for_what];
      const double seconds = wait.seconds * simulation.problem.ranks[k].members;
      exposure.gpu_seconds += seconds;
      exposure.by_bound[static_cast<std::size_t>(wait.bound.kind)] += seconds;
      if (wait.bound.kind != analysis::BoundKind::link || wait.bound.subject == analysis::none) continue;
      std::vector<bool>& classes = bounding[wait.for_what];
      classes.resize(simulation.problem.links.size());
      classes[wait.bound.subject] = true;
    }
  for (const auto& [label, classes] : bounding)
    for (topology::LinkId l = 0; l < simulation.problem.class_of_link.size(); ++l)
      if (const engine::Index k = simulation.problem.class_of_link[l]; k != engine::none && classes[k])
        outcome.exposures[label].links.push_back(l);
  return outcome;
}

}  // namespace

void to_json(nlohmann::json& json, const Change& c) {
  json = {{"links", c.links},           {"channels", c.channels}, {"bandwidth_factor", c.bandwidth_factor},
          {"no_latency", c.no_latency}, {"healthy", c.healthy},   {"batch_factor", c.batch_factor}};
}

void from_json(const nlohmann::json& json, Change& c) {
  json.at("links").get_to(c.links);
  json.at("channels").get_to(c.channels);
  json.at("bandwidth_factor").get_to(c.bandwidth_factor);
  json.at("no_latency").get_to(c.no_latency);
  json.at("healthy").get_to(c.healthy);
  json.at("batch_factor").get_to(c.batch_factor);
}

void to_json(nlohmann::json& json, const Outcome& o) {
  json = {{"step_s", o.step_s}, {"mean", o.mean}, {"exposures", nlohmann::json::object()}};
  for (const auto& [label, e] : o.exposures) json["exposures"][label] = {e.gpu_seconds, e.by_bound, e.links};
}

void from_json(const nlohmann::json& json, Outcome& o) {
  json.at("step_s").get_to(o.step_s);
  json.at("mean").get_to(o.mean);
  for (const auto& [label, e] : json.at("exposures").items())
    o.exposures[label] = {e.at(0).get<double>(), e.at(1).get<std::array<double, 4>>(),
                          e.at(2).get<std::vector<topology::LinkId>>()};
}

Outcome try_out(const scenario::Scenario& original, const Change& change, bool fold) {
  scenario::Scenario s = original;
  if (change.healthy) s.faults = {};
  s.batch.global *= change.batch_factor;
  topology::Fabric fabric = topology::build_fabric(s.cluster, s.profile.links, s.faults.links);
  for (topology::LinkId link : change.links) fabric.graph[fabric.link_edges[link]].bytes_per_s *= change.bandwidth_factor;
  const auto adjust = [&](const parallel::StepGraph& graph, parallel::Traffic& traffic) {
    drop_latency(graph, traffic, change.no_latency);
    speed_channels(graph, traffic, change);
  };
  return measure(*engine::simulate(std::move(fabric), parallel::build_step_graph(s), {.tuning = s.profile.tuning, .forced = {}},
                                   s.seed, {.fold = fold, .adjust = adjust}));
}

}  // namespace gridlock::whatif
