#include "sim/report/result_json.hpp"

#include <fmt/format.h>

#include "collectives/collective.hpp"
#include "sim/report/version.hpp"

namespace gridlock::report {
namespace {

using Json = nlohmann::ordered_json;
using analysis::Bound;
using analysis::BoundKind;

Json seconds_json(const analysis::Seconds& seconds) {
  Json json;
  for (std::size_t s = 0; s < analysis::state_count; ++s) json[std::string(analysis::state_names[s])] = seconds[s];
  return json;
}

Json bound_json(const RunReport& r, const Bound& bound) {
  return {{"kind", Names::kind(bound.kind)}, {"name", r.names.bound(bound)}};
}

Json scenario_json(const RunReport& r) {
  Json json = Json::parse(r.scenario.resolved_json);
  Json files = Json::array();
  for (const scenario::InputFile& file : r.scenario.files) files.push_back({{"path", file.path}, {"fnv1a64", file.fnv1a64}});
  return {{"name", r.scenario.name}, {"files", files}, {"resolved", json}};
}

Json step_json(const StepFigures& s) {
  Json json{{"time_s", s.time_s}};
  if (s.time_s_stderr) json["time_s_stderr"] = *s.time_s_stderr;
  json.update({{"tokens_per_s", s.tokens_per_s},
               {"tokens_per_s_per_gpu", s.tokens_per_s_per_gpu},
               {"model_flops_causal", s.model_flops_causal},
               {"model_flops_full", s.model_flops_full},
               {"mfu_causal", s.mfu_causal},
               {"mfu_full", s.mfu_full},
               {"hfu", s.hfu},
               {"peak_flops_per_s_per_gpu", s.peak_flops_per_s_per_gpu}});
  return json;
}

Json memory_json(const parallel::MemoryUse& m) {
  return {{"stage", m.stage},
          {"peak_bytes", m.parts.total()},
          {"capacity_bytes", m.capacity_bytes},
          {"fits", m.fits()},
          {"weights_bytes", m.parts.weights},
          {"gradients_bytes", m.parts.gradients},
          {"optimizer_bytes", m.parts.optimizer},
          {"activations_bytes", m.parts.activations},
          {"buffers_bytes", m.parts.buffers}};
}

Json critical_path_json(const RunReport& r) {
  Json list = Json::array();
  const auto add = [&](std::string_view category, double seconds) {
    if (seconds > 0) list.push_back({{"category", category}, {"seconds", seconds}, {"share", seconds / r.step.time_s}});
  };
  for (std::size_t s = 0; s < analysis::state_count; ++s) add(analysis::state_names[s], r.critical_path.seconds[s]);
  add("latency_s", r.critical_path.latency_s);
  return list;
}

Json rank_classes_json(const RunReport& r) {
  Json list = Json::array();
  for (analysis::Index k = 0; k < r.simulation.problem.ranks.size(); ++k) {
    const engine::RankClass& rank = r.simulation.problem.ranks[k];
    const analysis::RankBreakdown& breakdown = r.breakdown.ranks[k];
    double finish = 0;
    for (const engine::TaskTime& t : r.simulation.timeline.ranks[k].tasks) finish = std::max(finish, t.finish);
    Json waits = Json::array();
    for (const analysis::Wait& wait : breakdown.waits)
      waits.push_back({{"for", wait.for_what}, {"seconds", wait.seconds}, {"bound_by", bound_json(r, wait.bound)}});
    list.push_back({{"name", r.names.rank(k)},
                    {"example_rank", rank.example},
                    {"ranks", r.names.rank_list(k)},
                    {"count", rank.members},
                    {"stage", r.simulation.graph.programs[rank.program].stage},
                    {"finish_s", finish - r.simulation.timeline.window_start()},
                    {"breakdown", seconds_json(breakdown.seconds)},
                    {"waits", std::move(waits)}});
  }
  return list;
}

Json call_json(const RunReport& r, const analysis::CallStatistics& c) {
  Json json{{"name", r.call_group(c)}};
  const double per_call = c.calls > 0 ? c.time_s / static_cast<double>(c.calls) : 0;
  double bytes = 0, factor = 1;
  if (c.is_message) {
    const engine::MessageClass& message = r.simulation.problem.messages[c.subject];
    bytes = r.simulation.graph.transfers[c.call].bytes;
    json["label"] = r.call_label(c);
    json["size"] = 2;
    json["count"] = r.simulation.problem.flows[message.flow].members;
    json["collective"] = collectives::name(collectives::Kind::send_recv);
    json["algorithm"] = collectives::name(collectives::Algorithm::point_to_point);
    json["protocol"] = collectives::name(collectives::Protocol::simple);
  } else {
    const engine::CommunicatorClass& communicator = r.simulation.problem.communicators[c.subject];
    const parallel::Call& call = r.simulation.graph.calls[c.call];
    const collectives::Choice& choice = r.simulation.traffic.plan(communicator.shape, c.call).choice;
    bytes = call.bytes;
    factor = collectives::bus_factor(call.kind, static_cast<int>(communicator.ranks));
    json["label"] = call.label;
    json["size"] = communicator.ranks;
    json["count"] = communicator.members;
    json["collective"] = collectives::name(call.kind);
    json["algorithm"] = collectives::name(choice.algorithm);
    json["protocol"] = collectives::name(choice.protocol);
  }
  json["bytes"] = bytes;
  json["calls"] = c.calls;
  json["time_s"] = c.time_s;
  json["exposed_s"] = c.exposed_s;
  json["bus_bandwidth_bytes_per_s"] = per_call > 0 ? bytes * factor / per_call : 0;
  json["bound_by"] = bound_json(r, c.bound);
  return json;
}

Json links_json(const RunReport& r) {
  Json list = Json::array();
  for (analysis::Index k = 0; k < r.simulation.problem.links.size(); ++k) {
    const engine::LinkClass& link = r.simulation.problem.links[k];
    list.push_back({{"name", r.names.link(k)},
                    {"example", r.names.link_example(k)},
                    {"members", link.members},
                    {"count", r.simulation.fabric.link(link.example).cables},
                    {"capacity_bytes_per_s", link.bytes_per_s},
                    {"mean_utilization", r.loads.mean_utilization(k)},
                    {"peak_utilization", r.loads.peak_utilization(k)},
                    {"bytes", r.loads.bytes[k]}});
  }
  return list;
}

}  // namespace

Json result_json(const RunReport& r, const std::optional<HostFigures>& host) {
  const engine::Simulation& s = r.simulation;
  Json json;
  json["schema"] = "gridlock.result/1";
  json["version"] = version();
  json["scenario"] = scenario_json(r);
  json["seed"] = r.scenario.seed;
  json["warnings"] = r.warnings;
  if (r.scenario.measured) {
    const scenario::Measured& m = *r.scenario.measured;
    json["measured"] = {{"time_s", m.step_time_s}, {"source", m.source}, {"error", r.step.time_s / m.step_time_s - 1}};
  }
  json["cluster"] = {{"gpus", s.fabric.gpu_count()}, {"nodes", s.fabric.spec.nodes}, {"link_count", s.fabric.cable_directions()}};
  json["step"] = step_json(r.step);
  json["memory"] = memory_json(r.memory);
  json["breakdown"] = seconds_json(r.breakdown.mean);
  json["critical_path"] = critical_path_json(r);
  json["rank_classes"] = rank_classes_json(r);
  Json communicators = Json::array();
  for (const analysis::CallStatistics& call : r.calls) communicators.push_back(call_json(r, call));
  json["communicators"] = std::move(communicators);
  json["links"] = links_json(r);
  json["engine"] = {{"mode", s.problem.folded ? "folded" : "full"},
                    {"sharing", s.sharing == engine::Sharing::simgrid ? "simgrid" : "incremental"},
                    {"rank_classes", s.problem.ranks.size()},
                    {"edge_classes", s.problem.flows.size()},
                    {"link_classes", s.problem.links.size()},
                    {"activities", s.timeline.activities},
                    {"fingerprint", fmt::format("{:016x}", s.timeline.fingerprint)}};
  if (host) json["host"] = {{"wall_s", host->wall_s}, {"peak_rss_bytes", host->peak_rss_bytes}};
  return json;
}

}  // namespace gridlock::report
