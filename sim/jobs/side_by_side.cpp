#include <fmt/format.h>

#include <map>

#include "sim/jobs/together.hpp"
#include "sim/scenario/diagnostic.hpp"
#include "sim/scenario/load.hpp"
#include "topology/placement.hpp"

namespace gridlock::jobs {
namespace {

// What both must say alike: everything about the machine but where each job is on it.
nlohmann::json machine_of(const scenario::Scenario& s) {
  const nlohmann::json resolved = nlohmann::json::parse(s.resolved_json);
  nlohmann::json machine{
      {"cluster", resolved.at("cluster")}, {"profile", resolved.at("profile")}, {"links", s.faults.links.size()}};
  machine["cluster"].erase("placement");
  machine["cluster"].erase("idle");
  machine["links"] = resolved.at("faults").at("links");
  return machine;
}

// "/cluster/fabric/nic" as people write it.
std::string key_of(std::string pointer) {
  pointer.erase(0, 1);
  for (char& c : pointer)
    if (c == '/') c = '.';
  return pointer.rfind("links", 0) == 0 ? "faults." + pointer : pointer;
}

void check_pair(const scenario::Scenario& first, const scenario::Scenario& second) {
  const nlohmann::json differences = nlohmann::json::diff(machine_of(first), machine_of(second));
  if (!differences.empty()) {
    const std::string key = key_of(differences.front().at("path").get<std::string>());
    throw scenario::InvalidScenario(scenario::locate(
        second, key, fmt::format("{} differs from that of {}: jobs side by side share one machine", key, first.name),
        "only cluster.placement, cluster.idle and faults.slow may differ; `base: FILE` takes the rest over"));
  }
  std::map<topology::GpuId, std::uint32_t> taken;
  const auto place = [](const scenario::Scenario& s) {
    return topology::place(s.cluster, static_cast<std::uint32_t>(s.parallelism.ranks()), s.seed);
  };
  const std::vector<topology::GpuId> ours = place(first), theirs = place(second);
  for (std::uint32_t rank = 0; rank < ours.size(); ++rank) taken[ours[rank]] = rank;
  const auto gpus = static_cast<std::uint32_t>(first.cluster.node.gpus);
  for (std::uint32_t rank = 0; rank < theirs.size(); ++rank)
    if (const auto found = taken.find(theirs[rank]); found != taken.end())
      throw scenario::InvalidScenario(
          scenario::locate(second, "cluster.placement",
                           fmt::format("rank {} is on node{}.gpu{}, where rank {} of {} is", rank, found->first / gpus,
                                       found->first % gpus, found->second, first.name),
                           "give one of them other nodes, such as `placement: 8-15` under cluster, and `idle: allow`"));
}

}  // namespace

void check_side_by_side(const Scenarios& jobs) {
  for (std::size_t second = 1; second < jobs.size(); ++second)
    for (std::size_t first = 0; first < second; ++first) check_pair(*jobs[first], *jobs[second]);
}

}  // namespace gridlock::jobs
