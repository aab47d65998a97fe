// What backends have in common: SimGrid's clock and events, GPUs as hosts, delays as timers. How flows share links is left to the
// two that derive from it. At most one in a process: SimGrid's engine is a singleton whose clock never restarts.
#pragma once

#include <memory>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

#include "sim/engine/backend.hpp"

namespace gridlock::engine {

// A zone that answers routes from a table, by the netpoint that a flow starts from.
class RouteTableZone : public simgrid::kernel::routing::NetZoneImpl {
 public:
  using Route = std::vector<simgrid::kernel::resource::StandardLinkImpl*>;
  explicit RouteTableZone(const std::string& name) : NetZoneImpl(name) {}
  std::vector<Route> routes;  // by netpoint id

 private:
  void get_local_route(const simgrid::kernel::routing::NetPoint* from, const simgrid::kernel::routing::NetPoint*,
                       simgrid::kernel::routing::Route* into, double*) override {
    into->link_list_ = routes.at(from->id());
  }
  void get_graph(const s_xbt_graph_t*, std::map<std::string, xbt_node_t, std::less<>>*,
                 std::map<std::string, xbt_edge_t, std::less<>>*) override {}
};

class SimGridBackend : public Backend {
 public:
  double now() const override;
  void start_compute(Token token, Index rank, double seconds) override;
  void start_delay(Token token, double seconds) override;
  void run(std::function<void(Token)> done) override;

 protected:
  explicit SimGridBackend(const Problem& problem);
  void done(Token token) { done_(token); }
  RouteTableZone& zone() { return *zone_; }
  // Activities are kept until they have ended (SimGrid 3.32 crashes when the last reference of a running Comm goes), and freed
  // after their callback.
  void hold(Token token, const simgrid::s4u::ActivityPtr& activity);

 private:
  void finished(Token token);

  std::unique_ptr<simgrid::s4u::Engine> engine_;
  RouteTableZone* zone_;  // the engine's
  std::vector<simgrid::s4u::Host*> ranks_;
  std::vector<simgrid::s4u::ActivityPtr> held_;
  std::vector<std::unique_ptr<Token>> tokens_;
  simgrid::s4u::ActivityPtr ended_;  // the last one that ended: its callback may still be running
  std::function<void(Token)> done_;
};

}  // namespace gridlock::engine
