#include "collectives/tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "collectives/algorithm_model.hpp"
#include "collectives/channel_speed.hpp"
#include "collectives/connections.hpp"
#include "collectives/mesh_order.hpp"
#include "collectives/node_groups.hpp"
#include "collectives/pattern.hpp"

namespace gridlock::collectives {
namespace {

// In NCCL's order: the earlier of equal times wins.
const std::array<const AlgorithmModel*, 9>& models() {
  static const std::array<const AlgorithmModel*, 9> all{&tree_model(),          &ring_model(), &collnet_direct_model(),
                                                        &collnet_chain_model(), &nvls_model(), &nvls_sharp_model(),
                                                        &nvls_tree_model(),     &pat_model(),  &point_to_point_model()};
  return all;
}

// LL128 relies on 128-byte stores arriving whole: by default only where the GPUs of a node meet over NVLink, or there is but one
// a node, and where NICs beside the GPUs read their memory.
bool enabled(const Call& call, Protocol protocol, const Override& forced) {
  if (!forced.allows(call.kind, protocol)) return false;
  if (protocol != Protocol::ll128 || forced.names(call.kind, protocol)) return true;
  const bool inside = call.shape.nvlink || call.shape.ranks_per_node == 1;
  return inside && (call.shape.nodes == 1 || (call.shape.near_nics && call.parameters.gpudirect));
}

// `expected`: the call as the tuner sees it.
Choice evaluate(const AlgorithmModel& model, const Call& call, const Call& expected, Protocol protocol) {
  const double wire = wire_bytes(model.algorithm(), call.kind, call.shape.ranks, call.bytes);
  Choice choice;
  choice.algorithm = model.algorithm();
  choice.protocol = protocol;
  choice.wire_inflation = wire_inflation(protocol);
  choice.bus_cap_bytes_per_s =
      std::min(model.bus_bytes_per_s(call, protocol),
               connections_bytes_per_s(model.algorithm(), call.shape, call.parameters) / choice.wire_inflation);
  choice.fill_s = model.fill_s(call, protocol);
  choice.latency_s = model.latency_s(call, protocol) + choice.fill_s;
  choice.tuner_latency_s = model.tuner_latency_s(expected, protocol);
  choice.tuner_bytes_per_s = model.tuner_bytes_per_s(expected, protocol);
  choice.predicted_s = choice.tuner_latency_s + wire / choice.tuner_bytes_per_s;
  return choice;
}

// GPU to switch to NIC at either end.
constexpr int near_pcie_links = 4;

bool is(const topology::Fabric& fabric, const topology::LinkShare& part, topology::LinkKind kind) {
  return fabric.link(part.link).kind == kind;
}

long pcie_links(const topology::Fabric& fabric, const topology::Path& path) {
  return std::ranges::count_if(path.links, [&](const auto& part) { return is(fabric, part, topology::LinkKind::pcie); });
}

// The steps of a ring that stay inside nodes.
void add_pcie_paths(const topology::Fabric& fabric, const topology::Router& router, const NodeGroups& groups,
                    CommunicatorShape& shape) {
  double sum = 0;
  int steps = 0;
  for (std::size_t k = 0; k < groups.nodes(); ++k) {
    const std::span<const topology::GpuId> members = groups.node(k);
    for (std::size_t i = 0; members.size() > 1 && i < members.size(); ++i) {
      const topology::Path path = router.path(members[i], members[(i + 1) % members.size()]);
      sum += path.latency_s;
      ++steps;
      for (const topology::LinkShare& part : path.links)
        shape.crosses_sockets = shape.crosses_sockets || is(fabric, part, topology::LinkKind::socket);
    }
  }
  if (steps > 0) shape.pcie_path_s = sum / steps;
}

[[noreturn]] void fail(const Call& call, const TuningParameters& parameters, const Override& forced) {
  std::string possible;
  for (const Choice& choice : candidates(call.kind, call.bytes, call.shape, parameters)) {
    possible += fmt::format("{}{} with {}", possible.empty() ? "" : ", ", name(choice.algorithm), name(choice.protocol));
  }
  throw std::invalid_argument(fmt::format("{} over {} ranks on {} {} cannot use {}; possible: {}", name(call.kind),
                                          call.shape.ranks, call.shape.nodes, call.shape.nodes == 1 ? "node" : "nodes",
                                          forced.text(), possible));
}

}  // namespace

std::vector<Choice> candidates(Kind kind, double bytes, const CommunicatorShape& shape, const TuningParameters& parameters,
                               const Override& forced) {
  const TuningParameters moved = moved_behind(parameters, shape), searched = expected_behind(parameters, shape);
  const Call call{kind, bytes, shape, moved}, expected{kind, bytes, shape, searched};
  std::vector<Choice> choices;
  for (const AlgorithmModel* model : models()) {
    if (!forced.allows(kind, model->algorithm())) continue;
    for (const Protocol protocol : {Protocol::ll, Protocol::ll128, Protocol::simple}) {
      if (enabled(call, protocol, forced) && model->supports(call, protocol))
        choices.push_back(evaluate(*model, call, expected, protocol));
    }
  }
  if (choices.empty()) fail(call, parameters, forced);
  std::ranges::stable_sort(choices, {}, &Choice::predicted_s);
  return choices;
}

CommunicatorShape communicator_shape(const topology::Fabric& fabric, const topology::Router& router,
                                     std::span<const topology::GpuId> members) {
  if (members.size() < 2) throw std::logic_error("a communicator needs at least two members");
  const NodeGroups groups = group_by_node(fabric, members);
  CommunicatorShape shape;
  shape.ranks = static_cast<int>(members.size());
  shape.nodes = static_cast<int>(groups.nodes());
  shape.ranks_per_node = 0;
  shape.nvlink = true;
  for (std::size_t k = 0; k < groups.nodes(); ++k) {
    shape.ranks_per_node = std::max(shape.ranks_per_node, static_cast<int>(groups.node(k).size()));
    shape.nvlink = shape.nvlink && meet_over_nvlink(fabric, groups.node(k));
  }
  if (!shape.nvlink) add_pcie_paths(fabric, router, groups, shape);
  shape.nvswitch = fabric.spec.node.kind == topology::NodeKind::nvswitch;
  if (shape.nvswitch) shape.nvlink_bytes_per_s = fabric.spec.node.nvlink_bytes_per_s;
  if (shape.nodes == 1) return shape;
  const topology::ClusterSpec& spec = fabric.spec;
  shape.nic_bytes_per_s = spec.fabric.nic_bytes_per_s > 0 ? spec.fabric.nic_bytes_per_s : spec.node.nic_bytes_per_s;
  shape.sharp = fabric.spec.fabric.sharp;
  shape.connection_bytes_per_s = fabric.spec.fabric.queue_pairs * fabric.spec.fabric.queue_pair_bytes_per_s;
  shape.rails = rails_of(groups, router).count;
  for (std::size_t k = 0; k < groups.nodes(); ++k) {
    const topology::GpuId here = groups.node(k).front(), there = groups.node((k + 1) % groups.nodes()).front();
    const topology::Path path = router.path(here, there);
    shape.path_latency_s = std::max(shape.path_latency_s, path.latency_s);
    shape.near_nics = shape.near_nics && pcie_links(fabric, path) <= near_pcie_links;
  }
  return shape;
}

}  // namespace gridlock::collectives
