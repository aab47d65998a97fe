#include "collectives/tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "collectives/algorithm_model.hpp"
#include "collectives/node_groups.hpp"
#include "collectives/pattern.hpp"

namespace gridlock::collectives {
namespace {

// In NCCL's order: the earlier of equal times wins.
const std::array<const AlgorithmModel*, 6>& models() {
  static const std::array<const AlgorithmModel*, 6> all{&tree_model(),      &ring_model(), &nvls_model(),
                                                        &nvls_tree_model(), &pat_model(),  &point_to_point_model()};
  return all;
}

// LL128 relies on 128-byte stores arriving whole: by default only where all GPUs of a node meet over NVLink.
bool enabled(const CommunicatorShape& shape, Protocol protocol, const Override& forced) {
  if (forced.protocol) return protocol == *forced.protocol;
  return protocol != Protocol::ll128 || shape.nvlink;
}

// Bytes wait until their chunk is whole before they are passed on. A call of transfer time x, in chunks of full time c, fills
// its pipeline in
//   x c / (x + c):   x when it is less than a chunk, and at most c
double fill_s(double transfer_s, double chunk_s) { return chunk_s > 0 ? transfer_s * chunk_s / (transfer_s + chunk_s) : 0; }

Choice evaluate(const AlgorithmModel& model, const Call& call, Protocol protocol) {
  const double wire = wire_bytes(model.algorithm(), call.kind, call.shape.ranks, call.bytes);
  const double startup_s = model.latency_s(call, protocol);
  Choice choice;
  choice.algorithm = model.algorithm();
  choice.protocol = protocol;
  choice.wire_inflation = wire_inflation(protocol);
  choice.bus_cap_bytes_per_s = model.bus_bytes_per_s(call, protocol);
  choice.fill_s = fill_s(wire / choice.bus_cap_bytes_per_s, model.chunk_s(call, protocol));
  choice.latency_s = startup_s + choice.fill_s;
  choice.predicted_s = startup_s + wire / model.tuner_bytes_per_s(call, protocol);
  return choice;
}

[[noreturn]] void fail(const Call& call, const Override& forced) {
  std::string wanted = forced.algorithm ? std::string(name(*forced.algorithm)) : "";
  if (forced.protocol) wanted += fmt::format("{}{}", wanted.empty() ? "" : " with ", name(*forced.protocol));
  std::string possible;
  for (const Choice& choice : candidates(call.kind, call.bytes, call.shape, call.parameters)) {
    possible += fmt::format("{}{} with {}", possible.empty() ? "" : ", ", name(choice.algorithm), name(choice.protocol));
  }
  throw std::invalid_argument(fmt::format("{} over {} ranks on {} {} cannot use {}; possible: {}", name(call.kind),
                                          call.shape.ranks, call.shape.nodes, call.shape.nodes == 1 ? "node" : "nodes", wanted,
                                          possible));
}

}  // namespace

std::vector<Choice> candidates(Kind kind, double bytes, const CommunicatorShape& shape, const TuningParameters& parameters,
                               const Override& forced) {
  const Call call{kind, bytes, shape, parameters};
  std::vector<Choice> choices;
  for (const AlgorithmModel* model : models()) {
    if (forced.algorithm && model->algorithm() != *forced.algorithm) continue;
    for (const Protocol protocol : {Protocol::ll, Protocol::ll128, Protocol::simple}) {
      if (enabled(shape, protocol, forced) && model->supports(call, protocol))
        choices.push_back(evaluate(*model, call, protocol));
    }
  }
  if (choices.empty()) fail(call, forced);
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
  shape.nvlink = fabric.spec.node.kind == topology::NodeKind::nvswitch;
  for (std::size_t k = 0; k < groups.nodes(); ++k) {
    shape.ranks_per_node = std::max(shape.ranks_per_node, static_cast<int>(groups.node(k).size()));
  }
  if (shape.nodes == 1) return shape;
  shape.rails = rails_of(groups, router).count;
  for (std::size_t k = 0; k < groups.nodes(); ++k) {
    const topology::GpuId here = groups.node(k).front(), there = groups.node((k + 1) % groups.nodes()).front();
    shape.path_latency_s = std::max(shape.path_latency_s, router.path(here, there).latency_s);
  }
  return shape;
}

}  // namespace gridlock::collectives
