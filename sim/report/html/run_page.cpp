#include "sim/report/html/run_page.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "sim/analysis/rank_states.hpp"
#include "sim/report/html/page.hpp"

namespace gridlock::report::html {
namespace {

using Json = nlohmann::ordered_json;

// Thousandths, so that the page stays small.
int permille(double share) { return static_cast<int>(std::lround(1000 * std::clamp(share, 0.0, 1.0))); }

Json lane(const RunReport& r, Index k) {
  const double slice_s = r.step.time_s / double(time_slices);
  Json states;
  const std::vector<std::vector<float>> seconds = states_over_time(r.history, k, time_slices);
  for (std::size_t s = 0; s < seconds.size(); ++s) {
    if (std::none_of(seconds[s].begin(), seconds[s].end(), [](float value) { return value > 0; })) continue;
    Json& row = states[std::string(analysis::state_names[s])] = Json::array();
    for (float value : seconds[s]) row.push_back(permille(double(value) / slice_s));
  }
  return {{"name", r.names.rank(k)}, {"count", r.simulation.problem.ranks[k].members}, {"states", std::move(states)}};
}

// Those with most GPUs, in order of their numbers.
std::vector<Index> lanes_shown(const RunReport& r) {
  std::vector<Index> order(r.simulation.problem.ranks.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return r.simulation.problem.ranks[a].members > r.simulation.problem.ranks[b].members;
  });
  if (order.size() > most_rank_lanes) order.resize(most_rank_lanes);
  std::sort(order.begin(), order.end());
  return order;
}

std::vector<Index> links_shown(const RunReport& r) {
  std::vector<Index> order(r.simulation.problem.links.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return r.loads.mean_utilization(a) > r.loads.mean_utilization(b); });
  if (order.size() > most_link_lanes) order.resize(most_link_lanes);
  return order;
}

Json load_over_time(const RunReport& r, const Json& link, Index k) {
  Json row = Json::array();
  for (float bytes : r.loads.slice_bytes[k]) row.push_back(permille(double(bytes) / (r.loads.capacity[k] * r.loads.slice_s)));
  return {{"link", link}, {"load", std::move(row)}};
}

// Cables between two kinds of device, either direction, each by its fullest class.
Json cables(const RunReport& r, const Json& links) {
  std::map<std::string, Index> fullest;
  for (Index k = 0; k < r.simulation.problem.links.size(); ++k) {
    const auto [found, fresh] = fullest.try_emplace(cable_base(r.names.link_base(k)), k);
    if (!fresh && r.loads.mean_utilization(k) > r.loads.mean_utilization(found->second)) found->second = k;
  }
  Json list = Json::array();
  for (const auto& [base, k] : fullest) {
    const std::size_t to = base.find(" to ");
    list.push_back({{"ends", {base.substr(0, to), base.substr(to + 4)}}, {"link", links[k]}});
  }
  return list;
}

// Keeps the first `most` of a list, and says how many there were.
void shorten(Json& result, const char* key, std::size_t most) {
  result[std::string(key) + "_count"] = result[key].size();
  Json& list = result[key];
  if (list.size() > most) list.erase(list.begin() + static_cast<std::ptrdiff_t>(most), list.end());
}

}  // namespace

std::vector<std::vector<float>> states_over_time(const analysis::History& history, Index rank_class, std::size_t slices) {
  std::vector<std::vector<float>> seconds(analysis::state_count, std::vector<float>(slices, 0));
  const double start = history.timeline.window_start(), slice_s = history.timeline.step_seconds() / double(slices);
  analysis::visit_states(history, rank_class, [&](const analysis::Interval& i) {
    std::vector<float>& row = seconds[static_cast<std::size_t>(i.state)];
    const auto slice_of = [&](double t) { return std::min(static_cast<std::size_t>((t - start) / slice_s), slices - 1); };
    for (std::size_t s = slice_of(i.start); s <= slice_of(i.end); ++s) {
      const double from = start + slice_s * double(s), to = from + slice_s;
      row[s] += static_cast<float>(std::max(0.0, std::min(i.end, to) - std::max(i.start, from)));
    }
  });
  return seconds;
}

Json run_page_data(const RunReport& r, Json result) {
  Json data, titles = state_titles(), lanes = Json::array(), loads = Json::array();
  titles["latency_s"] = "latency";
  for (Index k : lanes_shown(r)) lanes.push_back(lane(r, k));
  for (Index k : links_shown(r)) loads.push_back(load_over_time(r, result["links"][k], k));
  data["cables"] = cables(r, result["links"]);
  // Thousands of classes make the JSON long: the page keeps what it draws.
  result["scenario"].erase("resolved");
  shorten(result, "rank_classes", 0);
  shorten(result, "links", 0);
  shorten(result, "communicators", most_calls);
  for (Json& finding : result["why"]["findings"]) {
    finding.erase("rank_classes");
    finding["bound_by"].erase("links");
    for (Json& remedy : finding["remedies"]) remedy.erase("links");
  }
  data["result"] = std::move(result);
  data["state_titles"] = std::move(titles);
  data["lanes"] = std::move(lanes);
  data["loads"] = std::move(loads);
  data["slice_s"] = r.step.time_s / double(time_slices);
  return data;
}

}  // namespace gridlock::report::html
