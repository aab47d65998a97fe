#include "collectives/pattern.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "collectives/collnet.hpp"
#include "collectives/node_groups.hpp"
#include "collectives/p2p.hpp"

namespace gridlock::collectives {

double wire_bytes(Algorithm algorithm, Kind kind, int ranks, double bytes) {
  switch (algorithm) {
    case Algorithm::ring:
    case Algorithm::pat:
      return ring_wire_bytes(kind, ranks, bytes);
    case Algorithm::tree:
    case Algorithm::nvls:
    case Algorithm::nvls_tree:
    case Algorithm::collnet_direct:
    case Algorithm::collnet_chain:
      return bytes;
    case Algorithm::point_to_point:
      return has_part_per_rank(kind) ? bytes / ranks : bytes;
  }
  throw std::logic_error("algorithm out of range");
}

Pattern make_pattern(Algorithm algorithm, Kind kind, const topology::Fabric& fabric, const topology::Router& router,
                     std::span<const topology::GpuId> members) {
  switch (algorithm) {
    case Algorithm::ring:
      return ring_pattern(fabric, router, members);
    case Algorithm::tree:
      return tree_pattern(fabric, router, members);
    case Algorithm::nvls: {
      const bool one_node = group_by_node(fabric, members).nodes() == 1;
      return one_node ? nvls_pattern(fabric, router, members) : collnet_pattern(algorithm, fabric, router, members);
    }
    case Algorithm::collnet_direct:
    case Algorithm::collnet_chain:
      return collnet_pattern(algorithm, fabric, router, members);
    case Algorithm::nvls_tree:
      return nvls_tree_pattern(fabric, router, members);
    case Algorithm::pat:
      return pat_pattern(fabric, router, members);
    case Algorithm::point_to_point:
      return exchange_pattern(router, members, Exchange::even(kind, members.size()));
  }
  throw std::logic_error("algorithm out of range");
}

void append_crossings(const topology::Path& path, std::vector<WeightedLink>& crossings) {
  for (const auto& [link, share] : path.links) crossings.push_back({link, share});
}

void sum_by_link(std::vector<WeightedLink>& crossings) {
  std::ranges::sort(crossings, [](const WeightedLink& a, const WeightedLink& b) {
    return a.link != b.link ? a.link < b.link : a.weight < b.weight;  // equal links in order of weight: one order of addition
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < crossings.size(); ++i) {
    if (kept > 0 && crossings[kept - 1].link == crossings[i].link)
      crossings[kept - 1].weight += crossings[i].weight;
    else
      crossings[kept++] = crossings[i];
  }
  crossings.resize(kept);
}

Bundle make_bundle(std::vector<WeightedLink> crossings, double share) {
  sum_by_link(crossings);
  return {std::move(crossings), share};
}

void merge_equal_bundles(std::vector<Bundle>& bundles) {
  std::vector<Bundle> merged;
  for (Bundle& bundle : bundles) {
    const auto same = std::ranges::find(merged, bundle.links, &Bundle::links);
    if (same == merged.end()) {
      merged.push_back(std::move(bundle));
    } else {
      same->share += bundle.share;
    }
  }
  bundles = std::move(merged);
}

}  // namespace gridlock::collectives
