#include "sim/engine/network_backend.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sim/engine/link_weights.hpp"

namespace gridlock::engine {
namespace {

namespace sg = simgrid::s4u;

constexpr double units_per_byte = 1048576;  // payload unit: 2^-20 byte
constexpr double carrier_speed = 1;         // carriers never compute

}  // namespace

NetworkBackend::NetworkBackend(const Problem& problem, double* worst_rounding) : SimGridBackend(problem) {
  const IntegerWeights weights = integer_weights(problem);
  if (worst_rounding) *worst_rounding = weights.worst_rounding;
  std::vector<simgrid::kernel::resource::StandardLinkImpl*> links;
  for (std::size_t l = 0; l < problem.links.size(); ++l) {
    sg::Link* link = zone().create_link("l" + std::to_string(l), {weights.bytes_per_s[l] * units_per_byte});
    link->set_latency(0.0)->seal();
    if (link->get_latency() != 0.0) throw std::logic_error("every link latency must be zero");
    links.push_back(link->get_impl());
  }
  make_caps(problem);
  for (std::size_t f = 0; f < problem.flows.size(); ++f) {
    RouteTableZone::Route route;
    const FlowClass& flow = problem.flows[f];
    for (std::uint32_t i = flow.first_link; i < flow.first_link + flow.link_count; ++i)
      route.insert(route.end(), weights.multiplicity[i], links[problem.flow_links[i].link]);
    if (caps_[f].link) route.push_back(caps_[f].link->get_impl());
    from_.push_back(zone().create_host("a" + std::to_string(f), {carrier_speed})->seal());
    to_.push_back(zone().create_host("b" + std::to_string(f), {carrier_speed})->seal());
    zone().routes.resize(to_.back()->get_netpoint()->id() + 1);
    zone().routes[from_.back()->get_netpoint()->id()] = std::move(route);
  }
  zone().seal();
}

void NetworkBackend::make_caps(const Problem& problem) {
  for (const FlowClass& flow : problem.flows) {
    Cap cap;
    for (std::uint32_t i = flow.first_link; i < flow.first_link + flow.link_count; ++i)
      cap.alone = std::min(cap.alone, problem.links[problem.flow_links[i].link].bytes_per_s / problem.flow_links[i].weight);
    cap.rate = cap.alone;
    caps_.push_back(cap);
  }
  for (const CommunicatorClass& communicator : problem.communicators)
    for (const FlowRange& range : communicator.patterns)
      for (Index f : range.flows) {
        if (problem.flows[f].link_count == 0) continue;
        caps_[f].link = zone().create_link("c" + std::to_string(f), {caps_[f].alone * units_per_byte});
        caps_[f].link->set_latency(0.0)->seal();
      }
}

void NetworkBackend::start_flow(Token token, Index flow, double bytes, double rate_cap) {
  if (!(bytes < max_flow_bytes)) throw std::logic_error("a flow of more bytes than SimGrid can count");
  cap_rate(flow, rate_cap);
  const sg::CommPtr comm = sg::Comm::sendto_init();
  comm->set_payload_size(static_cast<std::uint64_t>(std::max(1.0, std::round(bytes * units_per_byte))));
  hold(token, comm);
  comm->set_source(from_[flow])->set_destination(to_[flow]);  // starts it
}

void NetworkBackend::cap_rate(Index flow, double rate_cap) {
  Cap& cap = caps_[flow];
  const double rate = std::min(rate_cap, cap.alone);
  if (cap.rate == rate) return;
  if (cap.link == nullptr) throw std::logic_error("only the flows of collectives can be capped");
  cap.link->set_bandwidth(rate * units_per_byte);
  cap.rate = rate;
}

}  // namespace gridlock::engine
