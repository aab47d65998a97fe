#include "sim/sweep/point.hpp"

namespace gridlock::sweep {
namespace {

using Json = nlohmann::ordered_json;

// Terms of 0 are left out of the file: most points know only a few.
template <std::size_t N>
Json seconds_json(const std::array<double, N>& seconds) {
  Json json = Json::object();
  for (std::size_t i = 0; i < N; ++i)
    if (seconds[i] != 0) json[std::string(category_name(i))] = seconds[i];
  return json;
}

template <std::size_t N>
void read_seconds(const Json& json, std::array<double, N>& seconds) {
  for (std::size_t i = 0; i < N; ++i) seconds[i] = json.value(std::string(category_name(i)), 0.0);
}

Json causes_json(const std::vector<Cause>& causes) {
  Json list = Json::array();
  for (const Cause& c : causes) list.push_back({{"state", c.state}, {"kind", c.kind}, {"name", c.name}, {"seconds", c.seconds}});
  return list;
}

Json links_json(const std::vector<LinkUse>& links) {
  Json list = Json::array();
  for (const LinkUse& l : links)
    list.push_back({{"name", l.name},
                    {"busiest", l.busiest},
                    {"mean_utilization", l.mean_utilization},
                    {"peak_utilization", l.peak_utilization}});
  return list;
}

}  // namespace

std::string_view category_name(std::size_t category) {
  return category < analysis::state_count ? analysis::state_names[category] : "latency_s";
}

Json point_json(const Point& p) {
  Json json{{"index", p.index}, {"values", p.values}};
  if (p.failed()) {
    json["error"] = p.error;
    return json;
  }
  json["step_s"] = p.step_s;
  json["tokens_per_s_per_gpu"] = p.tokens_per_s_per_gpu;
  json["mfu_full"] = p.mfu_full;
  json["mfu_causal"] = p.mfu_causal;
  json["hfu"] = p.hfu;
  json["memory_bytes"] = p.memory_bytes;
  json["gpus"] = p.gpus;
  json["breakdown"] = seconds_json(p.breakdown);
  json["critical_path"] = seconds_json(p.critical_path);
  json["bottleneck"] = p.bottleneck;
  json["bottleneck_utilization"] = p.bottleneck_utilization;
  json["waits"] = {
      {"link_s", p.waits_link_s}, {"latency_s", p.waits_latency_s}, {"copy_s", p.waits_copy_s}, {"peer_s", p.waits_peer_s}};
  json["causes"] = causes_json(p.causes);
  json["links"] = links_json(p.links);
  Json algorithms = Json::object();
  for (const AlgorithmUse& a : p.algorithms) algorithms[a.label] = a.algorithm;
  json["algorithms"] = std::move(algorithms);
  json["fingerprint"] = p.fingerprint;
  return json;
}

Point point_of_json(const Json& json) {
  Point p;
  json.at("index").get_to(p.index);
  json.at("values").get_to(p.values);
  if (json.contains("error")) {
    json.at("error").get_to(p.error);
    return p;
  }
  json.at("step_s").get_to(p.step_s);
  json.at("tokens_per_s_per_gpu").get_to(p.tokens_per_s_per_gpu);
  json.at("mfu_full").get_to(p.mfu_full);
  json.at("mfu_causal").get_to(p.mfu_causal);
  json.at("hfu").get_to(p.hfu);
  json.at("memory_bytes").get_to(p.memory_bytes);
  json.at("gpus").get_to(p.gpus);
  read_seconds(json.at("breakdown"), p.breakdown);
  read_seconds(json.at("critical_path"), p.critical_path);
  json.at("bottleneck").get_to(p.bottleneck);
  json.at("bottleneck_utilization").get_to(p.bottleneck_utilization);
  const Json& waits = json.at("waits");
  waits.at("link_s").get_to(p.waits_link_s);
  waits.at("latency_s").get_to(p.waits_latency_s);
  waits.at("copy_s").get_to(p.waits_copy_s);
  waits.at("peer_s").get_to(p.waits_peer_s);
  for (const Json& c : json.at("causes")) p.causes.push_back({c.at("state"), c.at("kind"), c.at("name"), c.at("seconds")});
  for (const Json& l : json.at("links"))
    p.links.push_back({l.at("name"), l.at("busiest"), l.at("mean_utilization"), l.at("peak_utilization")});
  for (const auto& [label, algorithm] : json.at("algorithms").items()) p.algorithms.push_back({label, algorithm});
  json.at("fingerprint").get_to(p.fingerprint);
  return p;
}

}  // namespace gridlock::sweep
