#include "calibrate/fit/collective_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <tuple>

#include "collectives/time.hpp"

namespace gridlock::calibrate {
namespace {

using collectives::Algorithm;
using collectives::Kind;

std::optional<Kind> kind_of(const std::string& benchmark) {
  static const std::map<std::string, Kind> kinds{
      {"all_reduce", Kind::all_reduce}, {"all_gather", Kind::all_gather}, {"reduce_scatter", Kind::reduce_scatter},
      {"broadcast", Kind::broadcast},   {"reduce", Kind::reduce},         {"all_to_all", Kind::all_to_all},
      {"sendrecv", Kind::send_recv}};
  const auto found = kinds.find(benchmark);
  return found == kinds.end() ? std::nullopt : std::optional(found->second);
}

int whole(const Point& point, const char* name, std::optional<int> absent) {
  const auto found = point.numbers.find(name);
  if (found == point.numbers.end() && absent) return *absent;
  const double value = found == point.numbers.end() ? 0 : found->second;
  if (!(value >= 1 && value <= 1 << 20) || value != std::floor(value))
    throw std::invalid_argument(fmt::format("{} without {}, or with one that is no count", point.benchmark, name));
  return static_cast<int>(value);
}

}  // namespace

std::optional<CollectiveCall> collective_call(const Point& point) {
  const std::optional<Kind> kind = kind_of(point.benchmark);
  if (!kind) return std::nullopt;
  CollectiveCall call{*kind, 0, whole(point, "ranks", std::nullopt), whole(point, "nodes", 1),
                      whole(point, "gpus_per_process", 1)};
  const auto bytes = point.numbers.find("bytes");
  if (bytes == point.numbers.end() || !(bytes->second > 0))
    throw std::invalid_argument(fmt::format("{} without its bytes", point.benchmark));
  call.bytes = bytes->second;
  if (call.ranks < 2 || call.ranks % call.nodes != 0)
    throw std::invalid_argument(fmt::format("{} of {} ranks on {} nodes: at least two ranks, as many on each node",
                                            point.benchmark, call.ranks, call.nodes));
  return call;
}

// The members and what does not change with the constants.
struct CollectiveModel::Group {
  topology::Router router;
  std::vector<topology::GpuId> members;
  collectives::CommunicatorShape shape;
  std::map<std::pair<Algorithm, Kind>, collectives::Pattern> patterns;
  // Seconds a byte on the fabric as it is, by algorithm, kind, cap and inflation.
  std::map<std::tuple<Algorithm, Kind, double, double>, double> paces;
};

CollectiveModel::CollectiveModel(const topology::ClusterSpec& cluster, const topology::LinkParameters& links)
    : cluster_(cluster), links_(links), fabric_(std::make_unique<topology::Fabric>(topology::build_fabric(cluster, links, {}))) {}

CollectiveModel::~CollectiveModel() = default;

CollectiveModel::Group& CollectiveModel::group(int ranks, int nodes) {
  std::unique_ptr<Group>& found = groups_[{ranks, nodes}];
  if (found) return *found;
  const int each = ranks / nodes;
  if (each > cluster_.node.gpus || nodes > cluster_.nodes)
    throw std::invalid_argument(
        fmt::format("{} ranks on {} nodes: the cluster has {} of {} GPUs", ranks, nodes, cluster_.nodes, cluster_.node.gpus));
  topology::Router router(*fabric_, 1);
  std::vector<topology::GpuId> members;
  for (int rank = 0; rank < ranks; ++rank)
    members.push_back(static_cast<topology::GpuId>(rank / each * cluster_.node.gpus + rank % each));
  const collectives::CommunicatorShape shape = collectives::communicator_shape(*fabric_, router, members);
  found = std::make_unique<Group>(Group{std::move(router), std::move(members), shape, {}, {}});
  return *found;
}

// Routes and numbers of links do not depend on how fast links are: patterns stay, routers are made anew.
void CollectiveModel::use(const topology::LinkParameters& links) {
  const auto rates = [](const topology::LinkParameters& l) {
    return std::array{l.nvlink_efficiency, l.pcie_efficiency, l.nic_efficiency, l.switch_efficiency, l.adaptive_efficiency};
  };
  if (rates(links) == rates(links_)) return;
  links_ = links;
  auto fresh = std::make_unique<topology::Fabric>(topology::build_fabric(cluster_, links, {}));
  for (auto& [key, group] : groups_) {
    group->router = topology::Router(*fresh, 1);
    group->paces.clear();
  }
  fabric_ = std::move(fresh);
}

collectives::Override CollectiveModel::choice(const CollectiveCall& call, const collectives::TuningParameters& tuning) {
  const collectives::Choice best =
      collectives::candidates(call.kind, call.bytes, group(call.ranks, call.nodes).shape, tuning).front();
  collectives::Override picked;
  if (best.algorithm == Algorithm::point_to_point) return picked;  // the only way there is
  picked.algorithm = best.algorithm;
  picked.protocol = best.protocol;
  return picked;
}

// With the same cap a call's time grows by so much a byte: the links are shared out once for all sizes.
double CollectiveModel::pace(Group& g, const CollectiveCall& call, const collectives::Choice& choice) {
  constexpr double bytes = 1e9;
  const auto [known, fresh] =
      g.paces.try_emplace({choice.algorithm, call.kind, choice.bus_cap_bytes_per_s, choice.wire_inflation});
  if (!fresh) return known->second;
  auto [pattern, made] = g.patterns.try_emplace({choice.algorithm, call.kind});
  if (made) pattern->second = collectives::make_pattern(choice.algorithm, call.kind, *fabric_, g.router, g.members);
  const double idle_s = collectives::idle_time_s(*fabric_, pattern->second, choice, call.kind, call.ranks, bytes);
  return known->second = (idle_s - choice.latency_s) / bytes;
}

double CollectiveModel::seconds(const CollectiveCall& call, const CollectiveConstants& constants,
                                const collectives::Override& forced) {
  use(constants.links);
  Group& g = group(call.ranks, call.nodes);
  const collectives::Choice choice = collectives::candidates(call.kind, call.bytes, g.shape, constants.tuning, forced).front();
  const double idle_s = choice.latency_s + call.bytes * pace(g, call, choice);
  const int driven = std::min(call.gpus_per_process, call.ranks);
  return driven > 1 ? std::max(idle_s, collectives::launch_s_per_gpu * driven) : idle_s;
}

}  // namespace gridlock::calibrate
