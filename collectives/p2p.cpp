#include "collectives/p2p.hpp"

#include <algorithm>

#include "collectives/algorithm_model.hpp"
#include "collectives/nccl_constants.hpp"

namespace gridlock::collectives {
namespace {

using topology::GpuId;

PairFlow pair_flow(const topology::Router& router, GpuId from, GpuId to, double share, std::vector<WeightedLink>& scratch) {
  scratch.clear();
  append_crossings(router.path(from, to), scratch);
  return {from, to, make_bundle(scratch, 1).links, share};
}

double base_s() { return nccl::at(nccl::ring_base_us, Protocol::simple) * nccl::us; }
double hop_s(nccl::Hop hop) { return nccl::hop_s(nccl::ring_hop_us, hop, Protocol::simple); }

double network_latency_s(double path_latency_s, const TuningParameters& parameters) {
  return base_s() + parameters.latency_scale * (hop_s(nccl::Hop::network) + 2 * path_latency_s);
}

class PointToPointModel final : public AlgorithmModel {
 public:
  Algorithm algorithm() const override { return Algorithm::point_to_point; }

  bool supports(const Call& call, Protocol protocol) const override {
    return protocol == Protocol::simple && (call.kind == Kind::all_to_all || call.kind == Kind::send_recv);
  }

  double latency_s(const Call& call, Protocol) const override {
    const CommunicatorShape& shape = call.shape;
    if (shape.nodes == 1) return base_s() + hop_s(shape.nvlink ? nccl::Hop::nvlink : nccl::Hop::pcie);
    const int remote_peers = call.kind == Kind::all_to_all ? shape.ranks - shape.ranks_per_node : 1;
    return network_latency_s(shape.path_latency_s, call.parameters) +
           (remote_peers - 1) * nccl::network_overhead_s(call.parameters.cpu, Protocol::ll);
  }

  double bus_bytes_per_s(const Call& call, Protocol) const override {
    const double cap = call.parameters.p2p_bytes_per_s;
    return cap > 0 ? cap : std::numeric_limits<double>::infinity();
  }
};

}  // namespace

const AlgorithmModel& point_to_point_model() {
  static const PointToPointModel model;
  return model;
}

std::vector<PairFlow> all_to_all_flows(const topology::Router& router, std::span<const GpuId> members) {
  std::vector<PairFlow> flows;
  flows.reserve(members.size() * (members.size() - 1));
  std::vector<WeightedLink> scratch;
  for (const GpuId from : members) {
    for (const GpuId to : members) {
      if (from != to) flows.push_back(pair_flow(router, from, to, 1.0 / static_cast<double>(members.size()), scratch));
    }
  }
  return flows;
}

std::vector<PairFlow> send_recv_flows(const topology::Router& router, std::span<const GpuId> members) {
  std::vector<PairFlow> flows;
  std::vector<WeightedLink> scratch;
  for (std::size_t i = 0; i < members.size(); ++i) {
    flows.push_back(pair_flow(router, members[i], members[(i + 1) % members.size()], 1, scratch));
  }
  return flows;
}

double p2p_latency_s(const topology::Fabric& fabric, const topology::Path& path, const TuningParameters& parameters) {
  if (path.crosses_network) return network_latency_s(path.latency_s, parameters);
  const bool nvlink = std::ranges::all_of(
      path.links, [&](const topology::LinkShare& part) { return fabric.link(part.link).kind == topology::LinkKind::nvlink; });
  return base_s() + hop_s(nvlink ? nccl::Hop::nvlink : nccl::Hop::pcie);  // the hop includes the links'
}

}  // namespace gridlock::collectives
