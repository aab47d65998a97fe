// The backend on SimGrid. At most one in a process: SimGrid's engine is a singleton whose clock never restarts.
//
// Model: CM02 without cross-traffic and TCP window, all link latencies zero, so that flows share links max-min fairly whatever
// their hop count; latencies are delays paid before a flow starts. A rank class is a host; each flow class has a pair of carrier
// hosts of its own, between which our own zone answers the route. Payloads are counted in 2^-20 byte, since SimGrid's are
// integers.
#pragma once

#include <memory>

#include "sim/engine/backend.hpp"

namespace gridlock::engine {

// Most bytes of one flow: 2^63 payload units.
constexpr double max_flow_bytes = 8.0e12;

// `worst_rounding`, when given, receives the largest relative rounding of a link weight (0 = all exact).
std::unique_ptr<Backend> make_simgrid_backend(const Problem& problem, double* worst_rounding = nullptr);

}  // namespace gridlock::engine
