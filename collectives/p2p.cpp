#include "collectives/p2p.hpp"

#include <algorithm>
#include <stdexcept>

#include "collectives/algorithm_model.hpp"
#include "collectives/nccl_constants.hpp"

namespace gridlock::collectives {
namespace {

using topology::GpuId;

constexpr double network_share = 0.85;
constexpr double fill_bytes = 2 * 512 * 1024;

double base_s() { return nccl::at(nccl::ring_base_us, Protocol::simple) * nccl::us; }
double hop_s(nccl::Hop hop) { return nccl::hop_s(nccl::ring_hop_us, hop, Protocol::simple); }

double network_latency_s(double path_latency_s, const TuningParameters& parameters) {
  return base_s() + network_hop_s(parameters, path_latency_s, hop_s(nccl::Hop::network), Protocol::simple);
}

int remote_peers(const Call& call) { return call.kind != Kind::send_recv ? call.shape.ranks - call.shape.ranks_per_node : 1; }

// Most payload of one pair; infinite where the profile has no channels.
double pair_bytes_per_s(const Call& call) {
  const CommunicatorShape& shape = call.shape;
  const TuningParameters& p = call.parameters;
  const bool all = call.kind != Kind::send_recv;
  if (shape.nodes == 1) {
    const double channels = p.intra_channels * p.intra_channel_bytes_per_s;
    const double out = p.p2p_bytes_per_s > 0 ? p.p2p_bytes_per_s : channels;
    return out > 0 ? out / (all ? shape.ranks - 1 : 1) : std::numeric_limits<double>::infinity();
  }
  const double nic = network_share * p.inter_channels * p.inter_channel_bytes_per_s;
  if (nic <= 0) return std::numeric_limits<double>::infinity();
  const double rails = shape.rails > 0 ? shape.rails : shape.ranks_per_node;
  return all ? nic * rails / (shape.ranks_per_node * remote_peers(call)) : nic;
}

class PointToPointModel final : public AlgorithmModel {
 public:
  Algorithm algorithm() const override { return Algorithm::point_to_point; }

  bool supports(const Call& call, Protocol protocol) const override {
    return protocol == Protocol::simple && is_point_to_point(call.kind);
  }

  // There is nothing to choose between: the tuner's view is the model's.
  double tuner_latency_s(const Call& call, Protocol protocol) const override { return latency_s(call, protocol); }
  double tuner_bytes_per_s(const Call& call, Protocol) const override { return pair_bytes_per_s(call); }

  double latency_s(const Call& call, Protocol protocol) const override {
    const CommunicatorShape& shape = call.shape;
    if (shape.nodes == 1) return base_s() + intra_hop_s(call, nccl::ring_hop_us, protocol);
    return network_latency_s(shape.path_latency_s, call.parameters) +
           (remote_peers(call) - 1) * nccl::network_overhead_s(call.parameters.cpu, Protocol::ll);
  }

  double fill_s(const Call& call, Protocol protocol) const override {
    return saturating_fill_s(transfer_s(*this, call, protocol), fill_bytes / pair_bytes_per_s(call));
  }
};

}  // namespace

const AlgorithmModel& point_to_point_model() {
  static const PointToPointModel model;
  return model;
}

void for_each_flow(const topology::Router& router, std::span<const GpuId> members, const Exchange& exchange,
                   const std::function<void(const PairFlow&)>& visit) {
  if (exchange.ranks() != members.size()) throw std::logic_error("the exchange is of another number of ranks");
  const double largest = exchange.largest_share();
  std::vector<WeightedLink> links;
  exchange.for_each_pair([&](std::size_t from, std::size_t to, double share) {
    links.clear();
    append_crossings(router.path(members[from], members[to]), links);
    sum_by_link(links);
    visit({members[from], members[to], links, share / largest});
  });
}

Pattern exchange_pattern(const topology::Router& router, std::span<const GpuId> members, const Exchange& exchange) {
  Pattern pattern{Algorithm::point_to_point, {}};
  for_each_flow(router, members, exchange, [&](const PairFlow& flow) {
    pattern.bundles.push_back({{flow.links.begin(), flow.links.end()}, flow.share});
  });
  return pattern;
}

double p2p_latency_s(const topology::Fabric& fabric, const topology::Path& path, const TuningParameters& parameters) {
  if (path.crosses_network) return network_latency_s(path.latency_s, parameters);
  const bool nvlink = std::ranges::all_of(
      path.links, [&](const topology::LinkShare& part) { return fabric.link(part.link).kind == topology::LinkKind::nvlink; });
  return base_s() + hop_s(nvlink ? nccl::Hop::nvlink : nccl::Hop::pcie);  // the hop includes the links'
}

}  // namespace gridlock::collectives
