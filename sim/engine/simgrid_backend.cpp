#include "sim/engine/simgrid_backend.hpp"

#include <cmath>
#include <limits>
#include <simgrid/kernel/Timer.hpp>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>
#include <stdexcept>
#include <string>

#include "sim/engine/binding_links.hpp"
#include "sim/engine/link_weights.hpp"
#include "sim/engine/simgrid_compat.hpp"

namespace gridlock::engine {
namespace {

namespace sg = simgrid::s4u;
using simgrid::kernel::resource::StandardLinkImpl;
using simgrid::kernel::routing::NetPoint;

constexpr double units_per_byte = 1048576;  // payload unit: 2^-20 byte
constexpr double host_speed = 1e12;         // work units per second of a GPU at full speed: far above SimGrid's work precision

// A zone that answers routes from a table: the route from carrier host 2f to 2f+1 is that of flow class f.
class RouteTableZone : public simgrid::kernel::routing::NetZoneImpl {
 public:
  explicit RouteTableZone(const std::string& name) : NetZoneImpl(name) {}
  std::vector<std::vector<StandardLinkImpl*>> routes;  // by flow class
  std::vector<Index> flow_of_netpoint;                 // by netpoint id

 private:
  void get_local_route(const NetPoint* src, const NetPoint*, simgrid::kernel::routing::Route* into, double*) override {
    into->link_list_ = routes[flow_of_netpoint[src->id()]];
  }
  void get_graph(const s_xbt_graph_t*, std::map<std::string, xbt_node_t, std::less<>>*,
                 std::map<std::string, xbt_edge_t, std::less<>>*) override {}
};

class SimGridBackend : public Backend {
 public:
  SimGridBackend(const Problem& problem, double* worst_rounding) {
    if (sg::Engine::is_initialized()) throw std::logic_error("one simulation a process: SimGrid's engine exists already");
    static char name[] = "gridlock", quiet[] = "--log=root.thres:error";
    static char* arguments[] = {name, quiet, nullptr};
    int count = 2;
    engine_ = std::make_unique<sg::Engine>(&count, arguments);
    for (const char* setting : {"network/model:CM02", "network/crosstraffic:no", "network/TCP-gamma:1e20", "surf/precision:1e-12",
                                "maxmin/precision:1e-9"})
      sg::Engine::set_config(setting);
    build_platform(problem, worst_rounding);
    compat::on_completion([this](const sg::Activity& activity) {
      if (const auto* slot = activity.get_data<Token>()) finished(*slot);
    });
  }

  double now() const override { return sg::Engine::get_clock(); }

  void start_compute(Token token, Index rank, double seconds) override {
    sg::Host* host = hosts_[rank];
    const sg::ExecPtr exec = sg::Exec::init()->set_flops_amount(seconds * host->get_speed())->set_host(host);
    hold(token, exec);
    compat::start(*exec);
  }

  void start_delay(Token token, double seconds) override {
    simgrid::kernel::timer::Timer::set(now() + seconds, [this, token] { done_(token); });
  }

  void start_flow(Token token, Index flow, double bytes, double rate_cap) override {
    if (!(bytes < max_flow_bytes)) throw std::logic_error("a flow of more bytes than SimGrid can count");
    cap_rate(flow, rate_cap);
    sg::CommPtr comm = sg::Comm::sendto_init();
    comm->set_payload_size(static_cast<std::uint64_t>(std::max(1.0, std::round(bytes * units_per_byte))));
    hold(token, comm);
    comm->set_source(carriers_[2 * flow])->set_destination(carriers_[2 * flow + 1]);  // starts it
  }

  void run(std::function<void(Token)> done) override {
    done_ = std::move(done);
    engine_->run();
  }

 private:
  void build_platform(const Problem& problem, double* worst_rounding) {
    auto* zone = new RouteTableZone("cluster");  // owned by the engine
    const IntegerWeights weights = integer_weights(problem);
    // The unfolded problem, as the oracle, keeps every link.
    const std::vector<char> binding = problem.folded ? binding_links(problem) : std::vector<char>(problem.links.size(), 1);
    if (worst_rounding) *worst_rounding = weights.worst_rounding;
    std::vector<StandardLinkImpl*> links;
    for (std::size_t l = 0; l < problem.links.size(); ++l) {
      if (!binding[l]) {
        links.push_back(nullptr);
        continue;
      }
      sg::Link* link = zone->create_link("l" + std::to_string(l), {weights.bytes_per_s[l] * units_per_byte});
      link->set_latency(0.0)->seal();
      if (link->get_latency() != 0.0) throw std::logic_error("every link latency must be zero");
      links.push_back(link->get_impl());
    }
    for (std::size_t r = 0; r < problem.ranks.size(); ++r) {
      sg::Host* host = zone->create_host("r" + std::to_string(r), {host_speed * problem.ranks[r].speed});
      host->seal();
      hosts_.push_back(host);
    }
    make_caps(problem, *zone);
    for (std::size_t f = 0; f < problem.flows.size(); ++f) {
      std::vector<StandardLinkImpl*> route;
      const FlowClass& flow = problem.flows[f];
      for (std::uint32_t i = flow.first_link; i < flow.first_link + flow.link_count; ++i)
        if (binding[problem.flow_links[i].link])
          route.insert(route.end(), weights.multiplicity[i], links[problem.flow_links[i].link]);
      if (caps_[f].link) route.push_back(caps_[f].link->get_impl());
      zone->routes.push_back(std::move(route));
      for (const char* end : {"a", "b"}) {
        sg::Host* host = zone->create_host(end + std::to_string(f), {host_speed});
        host->seal();
        carriers_.push_back(host);
        const std::size_t id = host->get_netpoint()->id();
        if (zone->flow_of_netpoint.size() <= id) zone->flow_of_netpoint.resize(id + 1, none);
        zone->flow_of_netpoint[id] = static_cast<Index>(f);
      }
    }
    zone->seal();
  }

  void make_caps(const Problem& problem, RouteTableZone& zone) {
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
          caps_[f].link = zone.create_link("c" + std::to_string(f), {caps_[f].alone * units_per_byte});
          caps_[f].link->set_latency(0.0)->seal();
        }
  }

  // A flow's own link holds its rate down: SimGrid 3.32 forgets the rate of a Comm between given hosts.
  void cap_rate(Index flow, double rate_cap) {
    Cap& cap = caps_[flow];
    const double rate = std::min(rate_cap, cap.alone);
    if (cap.rate == rate) return;
    if (cap.link == nullptr) throw std::logic_error("only the flows of collectives can be capped");
    cap.link->set_bandwidth(rate * units_per_byte);
    cap.rate = rate;
  }

  // Activities are kept until they have ended (SimGrid 3.32 crashes when the last reference of a running Comm goes), and freed
  // after their callback.
  template <class Pointer>
  void hold(Token token, const Pointer& activity) {
    if (held_.size() <= token) held_.resize(token + 1), tokens_.resize(token + 1);
    if (!tokens_[token]) tokens_[token] = std::make_unique<Token>(token);
    activity->set_data(tokens_[token].get());
    held_[token] = activity;
  }

  void finished(Token token) {
    ended_ = std::move(held_[token]);
    held_[token] = nullptr;
    done_(token);
  }

  // Most bytes per second of a flow class; it has at most one flow at a time.
  struct Cap {
    sg::Link* link = nullptr;                                // none for messages
    double alone = std::numeric_limits<double>::infinity();  // what its route gives when nobody else uses it
    double rate = 0;                                         // what the link is set to
  };

  std::unique_ptr<sg::Engine> engine_;
  std::vector<Cap> caps_;  // by flow class
  std::vector<sg::Host*> hosts_, carriers_;
  std::vector<sg::ActivityPtr> held_;
  std::vector<std::unique_ptr<Token>> tokens_;
  sg::ActivityPtr ended_;  // the last one that ended: its callback may still be running
  std::function<void(Token)> done_;
};

}  // namespace

std::unique_ptr<Backend> make_simgrid_backend(const Problem& problem, double* worst_rounding) {
  return std::make_unique<SimGridBackend>(problem, worst_rounding);
}

}  // namespace gridlock::engine
