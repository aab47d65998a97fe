#include "topology/router.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <span>
#include <stdexcept>

#include "topology/error.hpp"
#include "topology/node_routes.hpp"
#include "topology/policy.hpp"
#include "topology/switch_graph.hpp"

namespace gridlock::topology {
namespace {

std::unique_ptr<RoutingPolicy> policy_of(const Fabric& fabric, const SwitchGraph& network, std::uint64_t seed) {
  switch (fabric.spec.fabric.routing) {
    case RoutingKind::adaptive:
      return adaptive_policy(fabric, network);
    case RoutingKind::fixed:
      return fixed_policy(fabric, network);
    case RoutingKind::ecmp:
      break;
  }
  return ecmp_policy(fabric, network, seed);
}

struct NicPair {
  int src, dst;
};
using Ways = std::vector<NicPair>;

// Adds `share` of another way of the same message.
void add_way(Path& path, const Path& way, double share) {
  for (const LinkShare& part : way.links) {
    const auto same = std::ranges::find(path.links, part.link, &LinkShare::link);
    if (same == path.links.end())
      path.links.push_back({part.link, part.share * share});
    else
      same->share += part.share * share;
  }
  path.latency_s = std::max(path.latency_s, way.latency_s);
  path.crosses_network = true;
}

}  // namespace

struct Router::Impl {
  Impl(const Fabric& f, std::uint64_t seed) : fabric(f), inside(f), network(f), policy(policy_of(f, network, seed)) {}

  int node_of(GpuId g) const { return static_cast<int>(g) / fabric.spec.node.gpus; }
  int local(GpuId g) const { return static_cast<int>(g) % fabric.spec.node.gpus; }
  std::uint32_t nic_number(GpuId g, int nic) const {
    return static_cast<std::uint32_t>(node_of(g) * fabric.spec.node.nics + nic);
  }

  bool connected(GpuId src, GpuId dst, NicPair nics) const {
    const auto anchor = network.anchor_of(nic_number(dst, nics.dst));
    return network.distance(network.net_of_nic(nic_number(src, nics.src)), anchor.at) != SwitchGraph::unreachable &&
           !inside.to_nic(local(src), nics.src).links.empty() && !inside.from_nic(nics.dst, local(dst)).links.empty();
  }

  // Both ends' own NICs, or in a rail fabric the receiver's rail where the sender reaches it.
  Ways nearest(GpuId src, GpuId dst) const {
    const std::vector<int>&out = inside.nics_of(local(src)), &in = inside.nics_of(local(dst));
    Ways ways;
    for (std::size_t k = 0; k < std::max(out.size(), in.size()); ++k) ways.push_back({out[k % out.size()], in[k % in.size()]});
    return ways;
  }
  Ways receivers_rails(GpuId src, GpuId dst) const {
    Ways ways;
    for (const int nic : inside.nics_of(local(dst)))
      if (inside.reaches_nic(local(src), nic)) ways.push_back({nic, nic});
    return ways;
  }

  // Never empty; the ends may still be unconnected.
  Ways choose_nics(GpuId src, GpuId dst) const {
    Ways ways = fabric.has_rails() ? receivers_rails(src, dst) : nearest(src, dst);
    if (ways.empty()) ways = nearest(src, dst);
    if (fabric.spec.fabric.kind != FabricKind::custom) return ways;
    // A custom fabric may leave NICs out or keep rails apart.
    const NicPair first = ways.front();
    const auto drop_unconnected = [&] { std::erase_if(ways, [&](NicPair nics) { return !connected(src, dst, nics); }); };
    drop_unconnected();
    if (!ways.empty()) return ways;
    ways = receivers_rails(src, dst);
    drop_unconnected();
    if (!ways.empty()) return ways;
    for (int i = 0; i < fabric.spec.node.nics; ++i) {
      for (int j = 0; j < fabric.spec.node.nics; ++j) {
        if (connected(src, dst, {i, j})) return {{i, j}};
      }
    }
    return {first};
  }

  [[noreturn]] void fail_unreachable(GpuId src, GpuId dst, NicPair nics) const {
    const std::string from = fabric.vertex_name(fabric.nic_vertices[nic_number(src, nics.src)]);
    const std::string to = fabric.vertex_name(fabric.nic_vertices[nic_number(dst, nics.dst)]);
    const std::string ends = fmt::format("{} cannot reach {}", fabric.vertex_name(fabric.gpu_vertices[src]),
                                         fabric.vertex_name(fabric.gpu_vertices[dst]));
    if (fabric.spec.fabric.kind == FabricKind::none) {
      throw SpecError("cluster.fabric.kind", ends + ": nodes of a cluster without fabric cannot talk",
                      "give cluster.fabric a kind, or keep all communication inside the nodes");
    }
    if (fabric.spec.fabric.kind == FabricKind::rail_only && nics.src != nics.dst) {
      throw SpecError(
          "cluster.fabric.pxn", fmt::format("{}: rails {} and {} never meet in a rail-only fabric", ends, nics.src, nics.dst),
          fabric.spec.node.kind != NodeKind::pcie ? "write pxn: true to cross rails over NVLink, or kind: rail_fat_tree"
                                                  : "crossing rails inside a node needs NVLink: write kind: rail_fat_tree");
    }
    if (inside.to_nic(local(src), nics.src).links.empty() || inside.from_nic(nics.dst, local(dst)).links.empty()) {
      throw SpecError("cluster.node.socket_link",
                      fmt::format("{}: the node joins no GPU of one socket to a NIC of the other", ends),
                      "give the bandwidth between sockets, or write pxn: true");
    }
    if (fabric.spec.fabric.kind != FabricKind::custom)
      throw SpecError("faults.links", fmt::format("{}: what is down leaves no way from {} to {}", ends, from, to),
                      "a job on these GPUs would end: write a factor above 0, or place its ranks on other nodes");
    throw SpecError("cluster.fabric.edges", fmt::format("{}: no cables lead from {} to {}", ends, from, to));
  }

  void append(const Leg& leg, int node, Path& path) const {
    const LinkId first = static_cast<LinkId>(node) * fabric.links_per_node;
    for (LinkId id : leg.links) path.links.push_back({first + id, 1.0});
    path.latency_s += leg.latency_s;
  }

  Path inside_node(GpuId src, GpuId dst) const {
    const Leg& leg = inside.between_gpus(local(src), local(dst));
    if (leg.links.empty()) throw std::logic_error("two GPUs of one node are not joined");
    Path path;
    path.links.reserve(leg.links.size());
    append(leg, node_of(src), path);
    return path;
  }

  Path across(GpuId src, GpuId dst, NicPair nics, FlowKey key) const {
    if (fabric.spec.fabric.kind == FabricKind::none || !connected(src, dst, nics)) fail_unreachable(src, dst, nics);
    const std::uint32_t dst_nic = nic_number(dst, nics.dst);
    const SwitchGraph::Anchor anchor = network.anchor_of(dst_nic);
    Path path;
    path.crosses_network = true;
    path.links.reserve(16);  // six switch hops and four links at each end without another allocation
    append(inside.to_nic(local(src), nics.src), node_of(src), path);
    policy->route({nic_number(src, nics.src), dst_nic, key}, anchor.at, path);
    for (const Hop& hop : anchor.last) {
      path.links.push_back({hop.link, 1.0});
      path.latency_s += fabric.link(hop.link).latency_s;
    }
    append(inside.from_nic(nics.dst, local(dst)), node_of(dst), path);
    return path;
  }

  // Evenly over all ways and, under ecmp, over the queue pairs of each.
  Path spread(GpuId src, GpuId dst, std::span<const NicPair> ways, FlowKey key) const {
    const bool hashed = fabric.spec.fabric.routing == RoutingKind::ecmp;
    const auto queue_pairs = static_cast<std::uint32_t>(hashed ? fabric.spec.fabric.queue_pairs : 1);
    if (ways.size() == 1 && queue_pairs == 1) return across(src, dst, ways.front(), key);
    Path path;
    const double share = 1.0 / (static_cast<double>(ways.size()) * queue_pairs);
    for (const NicPair nics : ways) {
      for (std::uint32_t q = 0; q < queue_pairs; ++q)
        add_way(path, across(src, dst, nics, {key.channel, key.queue_pair * queue_pairs + q}), share);
    }
    return path;
  }

  const Fabric& fabric;
  NodeRoutes inside;
  SwitchGraph network;
  std::unique_ptr<RoutingPolicy> policy;
};

Router::Router(const Fabric& fabric, std::uint64_t seed) : impl_(std::make_unique<Impl>(fabric, seed)) {}
Router::~Router() = default;
Router::Router(Router&&) noexcept = default;
Router& Router::operator=(Router&&) noexcept = default;

Path Router::path(GpuId src, GpuId dst, FlowKey key) const {
  assert(src != dst && src < impl_->fabric.gpu_count() && dst < impl_->fabric.gpu_count());
  if (impl_->node_of(src) == impl_->node_of(dst)) return impl_->inside_node(src, dst);
  const Ways ways = impl_->choose_nics(src, dst);
  return impl_->spread(src, dst, ways, key);
}

Path Router::path_via(GpuId src, int src_nic, GpuId dst, int dst_nic, FlowKey key) const {
  assert(impl_->node_of(src) != impl_->node_of(dst));
  assert(src_nic >= 0 && src_nic < impl_->fabric.spec.node.nics && dst_nic >= 0 && dst_nic < impl_->fabric.spec.node.nics);
  const NicPair nics{src_nic, dst_nic};
  return impl_->spread(src, dst, {&nics, 1}, key);
}

const std::vector<int>& Router::nics_of(GpuId g) const { return impl_->inside.nics_of(impl_->local(g)); }

}  // namespace gridlock::topology
