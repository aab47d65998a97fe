#include "collectives/node_groups.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace gridlock::collectives {
namespace {

using topology::GpuId;

std::vector<int> distinct_nics(std::span<const GpuId> members, const topology::Router& router) {
  std::vector<int> nics;
  nics.reserve(members.size());
  for (const GpuId gpu : members) nics.insert(nics.end(), router.nics_of(gpu).begin(), router.nics_of(gpu).end());
  std::ranges::sort(nics);
  nics.erase(std::ranges::unique(nics).begin(), nics.end());
  return nics;
}

}  // namespace

NodeGroups group_by_node(const topology::Fabric& fabric, std::span<const GpuId> members) {
  const auto gpus_per_node = static_cast<GpuId>(fabric.gpus_per_node());
  NodeGroups groups;
  groups.members.assign(members.begin(), members.end());
  groups.first.push_back(0);

  if (!std::ranges::is_sorted(members)) {
    struct Place {
      GpuId gpu, node;
      std::uint32_t rank, node_rank;  // node_rank: the lowest rank on the same node
    };
    std::vector<Place> places;
    places.reserve(members.size());
    for (const GpuId gpu : members) places.push_back({gpu, gpu / gpus_per_node, static_cast<std::uint32_t>(places.size()), 0});
    std::ranges::sort(places,
                      [](const Place& a, const Place& b) { return a.node != b.node ? a.node < b.node : a.rank < b.rank; });
    for (std::size_t i = 0; i < places.size(); ++i) {
      const bool same_node = i > 0 && places[i - 1].node == places[i].node;
      places[i].node_rank = same_node ? places[i - 1].node_rank : places[i].rank;
    }
    std::ranges::sort(places, [](const Place& a, const Place& b) {
      return a.node_rank != b.node_rank ? a.node_rank < b.node_rank : a.gpu < b.gpu;
    });
    std::ranges::transform(places, groups.members.begin(), &Place::gpu);
  }
  for (std::uint32_t i = 1; i < groups.members.size(); ++i) {
    if (groups.members[i] / gpus_per_node != groups.members[i - 1] / gpus_per_node) groups.first.push_back(i);
  }
  groups.first.push_back(static_cast<std::uint32_t>(groups.members.size()));
  return groups;
}

std::size_t NodeGroups::beside(std::size_t k, int nic, const topology::Router& router) const {
  const std::span<const GpuId> all = node(k);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (std::ranges::find(router.nics_of(all[i]), nic) != router.nics_of(all[i]).end()) return i;
  }
  throw std::logic_error("no member of the node is beside the NIC");
}

Rails rails_of(const NodeGroups& groups, const topology::Router& router) {
  std::vector<std::vector<int>> by_node;
  by_node.reserve(groups.nodes());
  for (std::size_t k = 0; k < groups.nodes(); ++k) by_node.push_back(distinct_nics(groups.node(k), router));

  std::vector<int> common = by_node.front();
  std::size_t fewest = common.size();
  for (const std::vector<int>& nics : by_node) {
    fewest = std::min(fewest, nics.size());
    std::vector<int> both;
    std::ranges::set_intersection(common, nics, std::back_inserter(both));
    common = std::move(both);
  }
  std::size_t fewest_members = groups.node(0).size();
  for (std::size_t k = 1; k < groups.nodes(); ++k) fewest_members = std::min(fewest_members, groups.node(k).size());
  Rails rails;
  rails.count = static_cast<int>(fewest);
  rails.stride = static_cast<int>((fewest + fewest_members - 1) / fewest_members);
  rails.nics.reserve(groups.nodes() * fewest);
  for (const std::vector<int>& nics : by_node) {
    const std::vector<int>& used = common.size() >= fewest ? common : nics;
    rails.nics.insert(rails.nics.end(), used.begin(), used.begin() + static_cast<std::ptrdiff_t>(fewest));
  }
  return rails;
}

}  // namespace gridlock::collectives
