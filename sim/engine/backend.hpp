// What the executor needs of a simulation kernel: three kinds of activity, each of which ends exactly once by calling `done`
// with its token, and a clock. Activities may be started from inside `done`, at the current time.
#pragma once

#include <cstdint>
#include <functional>

#include "sim/engine/problem.hpp"

namespace gridlock::engine {

using Token = std::uint32_t;

class Backend {
 public:
  virtual ~Backend() = default;
  virtual double now() const = 0;
  // `seconds` of work of rank class `rank` on its compute unit, as they pass on this (possibly slow) GPU. At most one at a time
  // for a rank.
  virtual void start_compute(Token token, Index rank, double seconds) = 0;
  // A fixed delay that nothing influences.
  virtual void start_delay(Token token, double seconds) = 0;
  // `bytes` over flow class `flow`, at most `rate_cap` bytes per second (infinity = no cap); shares its links max-min fairly.
  virtual void start_flow(Token token, Index flow, double bytes, double rate_cap) = 0;
  // Runs until no activity is left. `done` may start more.
  virtual void run(std::function<void(Token)> done) = 0;
};

}  // namespace gridlock::engine
