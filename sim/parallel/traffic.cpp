#include "sim/parallel/traffic.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

#include "collectives/p2p.hpp"

namespace gridlock::parallel {
namespace {

using topology::GpuId;

// Shapes of different slots are kept apart: they run different calls.
using ShapeKey = std::pair<collectives::CommunicatorShape, std::uint8_t>;

// Members in rank order.
std::vector<GpuId> gpus_of(const StepGraph& graph, const Communicator& communicator) {
  std::vector<GpuId> gpus;
  gpus.reserve(communicator.members.size());
  for (RankId rank : communicator.members) gpus.push_back(graph.rank_gpu[rank]);
  return gpus;
}

class TrafficBuilder {
 public:
  TrafficBuilder(const StepGraph& graph, const topology::Fabric& fabric, const topology::Router& router,
                 const TrafficOptions& options)
      : graph_(graph), fabric_(fabric), router_(router), options_(options) {}

  Traffic build() {
    traffic_.calls = graph_.calls.size();
    for (std::uint8_t slot = 0; slot < graph_.communicator_slots; ++slot) slot_calls_.push_back(calls_of_slot(graph_, slot));
    traffic_.communicators.resize(graph_.communicators.size());
    for (std::size_t c = 0; c < graph_.communicators.size(); ++c) add_communicator(c);
    for (const Message& message : graph_.messages) add_message(message);
    return std::move(traffic_);
  }

 private:
  void add_communicator(std::size_t c) {
    const Communicator& communicator = graph_.communicators[c];
    CommunicatorTraffic& traffic = traffic_.communicators[c];
    if (communicator.members.size() < 2) throw std::logic_error("a communicator needs two members");
    const std::vector<GpuId> gpus = gpus_of(graph_, communicator);
    traffic.shape = intern_shape(collectives::communicator_shape(fabric_, router_, gpus), communicator.slot);
    for (collectives::Algorithm algorithm : algorithms_[traffic.shape]) {
      // Ring and the like have the same edges for all kinds, and a communicator's point-to-point calls are all-to-alls.
      const collectives::Pattern pattern =
          collectives::make_pattern(algorithm, collectives::Kind::all_to_all, fabric_, router_, gpus);
      const EdgeRange range{algorithm, static_cast<Index>(traffic_.edges.size()), static_cast<Index>(pattern.bundles.size())};
      for (const collectives::Bundle& bundle : pattern.bundles) add_edge(bundle.links, bundle.share, 0);
      traffic.patterns.push_back(range);
    }
  }

  Index intern_shape(const collectives::CommunicatorShape& shape, std::uint8_t slot) {
    const auto [found, fresh] = shape_index_.try_emplace({shape, slot}, static_cast<Index>(traffic_.shapes.size()));
    if (!fresh) return found->second;
    traffic_.shapes.push_back(shape);
    traffic_.plans.resize(traffic_.shapes.size() * traffic_.calls);
    algorithms_.emplace_back();
    for (std::size_t call = 0; call < graph_.calls.size(); ++call)
      if (slot_calls_[slot][call]) plan_call(found->second, call, shape);
    return found->second;
  }

  void plan_call(Index shape_index, std::size_t call_index, const collectives::CommunicatorShape& shape) {
    const Call& call = graph_.calls[call_index];
    CallPlan& plan = traffic_.plans[shape_index * traffic_.calls + call_index];
    plan.choice = collectives::candidates(call.kind, call.bytes, shape, options_.tuning, options_.forced).front();
    if (call.bytes <= latency_only_bytes) {
      plan.choice.latency_s +=
          collectives::wire_bytes(plan.choice.algorithm, call.kind, shape.ranks, call.bytes) / plan.choice.bus_cap_bytes_per_s;
      return;
    }
    plan.wire_bytes =
        collectives::wire_bytes(plan.choice.algorithm, call.kind, shape.ranks, call.bytes) * plan.choice.wire_inflation;
    std::vector<collectives::Algorithm>& used = algorithms_[shape_index];
    if (std::find(used.begin(), used.end(), plan.choice.algorithm) == used.end()) used.push_back(plan.choice.algorithm);
  }

  void add_message(const Message& message) {
    const topology::Path path = router_.path(graph_.rank_gpu[message.from], graph_.rank_gpu[message.to]);
    std::vector<WeightedLink> links;
    collectives::append_crossings(path, links);
    collectives::sum_by_link(links);
    traffic_.message_edge.push_back(static_cast<Index>(traffic_.edges.size()));
    add_edge(links, 1, collectives::p2p_latency_s(fabric_, path, options_.tuning));
  }

  void add_edge(const std::vector<WeightedLink>& links, double share, double latency_s) {
    traffic_.edges.push_back(
        {static_cast<std::uint32_t>(traffic_.links.size()), static_cast<std::uint32_t>(links.size()), share, latency_s});
    traffic_.links.insert(traffic_.links.end(), links.begin(), links.end());
  }

  const StepGraph& graph_;
  const topology::Fabric& fabric_;
  const topology::Router& router_;
  const TrafficOptions& options_;
  Traffic traffic_;
  std::vector<std::vector<bool>> slot_calls_;
  std::vector<std::vector<collectives::Algorithm>> algorithms_;  // by shape: those its calls use
  std::map<ShapeKey, Index> shape_index_;
};

}  // namespace

const EdgeRange& Traffic::pattern(Index communicator, collectives::Algorithm algorithm) const {
  for (const EdgeRange& range : communicators[communicator].patterns)
    if (range.algorithm == algorithm) return range;
  throw std::logic_error("no pattern for this algorithm");
}

std::vector<bool> calls_of_slot(const StepGraph& graph, std::uint8_t slot) {
  std::vector<bool> used(graph.calls.size(), false);
  for (const Program& program : graph.programs)
    for (const Task& task : program.tasks) {
      if (task.kind == TaskKind::collective && task.slot == slot) used[task.what] = true;
      if (task.kind == TaskKind::block && slot == 0)
        for (Index call : graph.block_calls[task.what])
          if (call != none) used[call] = true;
    }
  return used;
}

Traffic make_traffic(const StepGraph& graph, const topology::Fabric& fabric, const topology::Router& router,
                     const TrafficOptions& options) {
  return TrafficBuilder(graph, fabric, router, options).build();
}

}  // namespace gridlock::parallel
