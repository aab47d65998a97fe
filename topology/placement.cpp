#include "topology/placement.hpp"

#include <fmt/format.h>

#include <numeric>
#include <random>
#include <utility>

#include "topology/error.hpp"

namespace gridlock::topology {
namespace {

// Fisher-Yates with a generator the standard fixes bit by bit; std::shuffle and the distributions differ between libraries.
// The bias of the modulo is below 2^-40 for a million nodes.
std::vector<int> permutation(int nodes, std::uint64_t seed) {
  std::vector<int> order(static_cast<std::size_t>(nodes));
  std::iota(order.begin(), order.end(), 0);
  std::mt19937_64 random(seed);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

std::vector<int> listed(const ClusterSpec& spec, std::uint32_t nodes_needed) {
  const std::vector<int>& nodes = spec.placement.nodes;
  if (nodes.size() < nodes_needed) {
    throw SpecError("cluster.placement", fmt::format("{} nodes are listed, the ranks need {}", nodes.size(), nodes_needed));
  }
  std::vector<bool> taken(static_cast<std::size_t>(spec.nodes), false);
  for (int node : nodes) {
    if (node < 0 || node >= spec.nodes) {
      throw SpecError("cluster.placement", fmt::format("there is no node {}, the last is {}", node, spec.nodes - 1));
    }
    if (taken[static_cast<std::size_t>(node)]) throw SpecError("cluster.placement", fmt::format("node {} is listed twice", node));
    taken[static_cast<std::size_t>(node)] = true;
  }
  return nodes;
}

}  // namespace

std::vector<GpuId> place(const ClusterSpec& spec, std::uint32_t ranks, std::uint64_t seed) {
  const auto per_node = static_cast<std::uint32_t>(spec.node.gpus);
  const std::uint64_t gpus = static_cast<std::uint64_t>(spec.nodes) * per_node;
  if (ranks > gpus) {
    throw SpecError("cluster.nodes", fmt::format("{} ranks do not fit on {} GPUs", ranks, gpus),
                    fmt::format("write nodes: {} or more", (ranks + per_node - 1) / per_node));
  }
  const std::uint32_t nodes_needed = (ranks + per_node - 1) / per_node;
  std::vector<int> nodes(nodes_needed);
  switch (spec.placement.kind) {
    case PlacementKind::packed:
      std::iota(nodes.begin(), nodes.end(), 0);
      break;
    case PlacementKind::scattered:
      nodes = permutation(spec.nodes, seed);
      break;
    case PlacementKind::listed:
      nodes = listed(spec, nodes_needed);
      break;
  }
  std::vector<GpuId> gpus_of_ranks(ranks);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    gpus_of_ranks[rank] = static_cast<GpuId>(nodes[rank / per_node]) * per_node + rank % per_node;
  }
  return gpus_of_ranks;
}

}  // namespace gridlock::topology
