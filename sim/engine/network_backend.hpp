// Flows on SimGrid's network model.
//
// Model: CM02 without cross-traffic and TCP window, all link latencies zero, so that flows share links max-min fairly whatever
// their hop count; latencies are delays paid before a flow starts. Each flow class has a pair of carrier hosts of its own,
// between which the zone answers the route. Payloads are counted in 2^-20 byte, since SimGrid's are integers. SimGrid 3.32
// forgets the rate of a Comm between given hosts, so that a cap is a link of the flow's own at the end of its route.
#pragma once

#include <limits>

#include "sim/engine/simgrid_backend.hpp"

namespace gridlock::engine {

// Most bytes of one flow: 2^63 payload units.
constexpr double max_flow_bytes = 8.0e12;

class NetworkBackend : public SimGridBackend {
 public:
  NetworkBackend(const Problem& problem, double* worst_rounding);
  void start_flow(Token token, Index flow, double bytes, double rate_cap) override;

 private:
  // Most bytes per second of a flow class; it has at most one flow at a time.
  struct Cap {
    simgrid::s4u::Link* link = nullptr;                      // none for messages
    double alone = std::numeric_limits<double>::infinity();  // what its route gives when nobody else uses it
    double rate = 0;                                         // what the link is set to
  };
  void make_caps(const Problem& problem);
  void cap_rate(Index flow, double rate_cap);

  std::vector<Cap> caps_;                       // by flow class
  std::vector<simgrid::s4u::Host*> from_, to_;  // by flow class
};

}  // namespace gridlock::engine
