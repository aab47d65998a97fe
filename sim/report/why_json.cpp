#include "sim/report/why.hpp"

namespace gridlock::report {
namespace {

using Json = nlohmann::ordered_json;

std::string_view kind_name(Remedy::Kind kind) {
  switch (kind) {
    case Remedy::Kind::bandwidth:
      return "bandwidth";
    case Remedy::Kind::no_latency:
      return "no_latency";
    case Remedy::Kind::healthy:
      return "healthy";
    case Remedy::Kind::batch:
      return "micro_batches";
  }
  return "";
}

Json remedy_json(const RunReport& r, const Finding& f, const Remedy& remedy) {
  Json json{{"kind", kind_name(remedy.kind)}};
  if (remedy.kind == Remedy::Kind::bandwidth) {
    json["links"] = remedy.links;
    json["channels"] = remedy.channels;
    json["factor"] = remedy.factor == whatif::unlimited ? Json() : Json(remedy.factor);
  }
  if (remedy.kind == Remedy::Kind::batch) json["factor"] = remedy.factor;
  json["hides"] = remedy.hides;
  json["left_gpu_seconds"] = remedy.left_gpu_seconds;
  json["step_time_s"] = remedy.step_s;
  json["text"] = sentence(r, f, remedy);
  return json;
}

Json finding_json(const RunReport& r, const Why& why, const Finding& f) {
  Json links = Json::array(), ranks = Json::array(), remedies = Json::array();
  for (Index k : f.links) links.push_back(r.names.link(k));
  for (Index k : f.ranks) ranks.push_back({{"name", r.names.rank(k)}, {"ranks", r.names.rank_list(k)}});
  for (const Remedy& remedy : f.remedies) remedies.push_back(remedy_json(r, f, remedy));
  return {{"state", analysis::state_names[static_cast<std::size_t>(f.state)]},
          {"operation", f.operation},
          {"labels", f.labels},
          {"bound_by", {{"kind", Names::kind(f.bound)}, {"name", f.bound_name}, {"links", std::move(links)}}},
          {"gpu_seconds", f.gpu_seconds},
          {"share", why.share(f)},
          {"gpus", f.gpus},
          {"rank_classes", std::move(ranks)},
          {"text", sentence(r, why, f)},
          {"remedies", std::move(remedies)}};
}

}  // namespace

Json why_json(const RunReport& r, const Why& why) {
  Json states, findings = Json::array();
  for (std::size_t s = 0; s < analysis::state_count; ++s)
    states[std::string(analysis::state_names[s])] = r.breakdown.mean[s] * why.gpus;
  for (const Finding& f : why.findings) findings.push_back(finding_json(r, why, f));
  return {{"gpu_seconds", std::move(states)}, {"findings", std::move(findings)}};
}

}  // namespace gridlock::report
