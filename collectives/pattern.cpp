#include "collectives/pattern.hpp"

#include <algorithm>
#include <stdexcept>

namespace gridlock::collectives {

double wire_bytes(Algorithm algorithm, Kind kind, int ranks, double bytes) {
  switch (algorithm) {
    case Algorithm::ring:
    case Algorithm::pat:
      return ring_wire_bytes(kind, ranks, bytes);
    case Algorithm::tree:
    case Algorithm::nvls:
    case Algorithm::nvls_tree:
      return bytes;
    case Algorithm::point_to_point:
      return kind == Kind::all_to_all ? bytes / ranks : bytes;
  }
  throw std::logic_error("algorithm out of range");
}

Pattern make_pattern(Algorithm algorithm, const topology::Fabric& fabric, const topology::Router& router,
                     std::span<const topology::GpuId> members) {
  switch (algorithm) {
    case Algorithm::ring:
      return ring_pattern(fabric, router, members);
    case Algorithm::tree:
      return tree_pattern(fabric, router, members);
    case Algorithm::nvls:
      return nvls_pattern(fabric, router, members);
    case Algorithm::nvls_tree:
      return nvls_tree_pattern(fabric, router, members);
    case Algorithm::pat:
      return pat_pattern(fabric, router, members);
    case Algorithm::point_to_point:
      break;
  }
  throw std::logic_error("point-to-point traffic is no pattern of bundles");
}

void append_crossings(const topology::Path& path, std::vector<WeightedLink>& crossings) {
  for (const auto& [link, share] : path.links) crossings.push_back({link, share});
}

Bundle make_bundle(std::span<WeightedLink> crossings, double share) {
  std::ranges::sort(crossings, [](const WeightedLink& a, const WeightedLink& b) {
    return a.link != b.link ? a.link < b.link : a.weight < b.weight;  // equal links in order of weight: one order of addition
  });
  Bundle bundle;
  bundle.share = share;
  for (const WeightedLink& crossing : crossings) {
    if (!bundle.links.empty() && bundle.links.back().link == crossing.link) {
      bundle.links.back().weight += crossing.weight;
    } else {
      bundle.links.push_back(crossing);
    }
  }
  return bundle;
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
