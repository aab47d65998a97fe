// Flows shared by MaxMin, on SimGrid's clock: one timer stands at the next end of a flow and moves when rates change.
#pragma once

#include <simgrid/kernel/Timer.hpp>

#include "sim/engine/flow_clock.hpp"
#include "sim/engine/simgrid_backend.hpp"

namespace gridlock::engine {

class IncrementalBackend : public SimGridBackend {
 public:
  explicit IncrementalBackend(const Problem& problem) : SimGridBackend(problem), flows_(problem) { zone().seal(); }
  void start_flow(Token token, Index flow, double bytes, double rate_cap) override;

 private:
  void wake_at_next_finish();
  void finish_flows();

  FlowClock flows_;
  simgrid::kernel::timer::Timer* wake_ = nullptr;  // SimGrid's; null while no flow runs
  double wake_time_ = 0;
  bool finishing_ = false;  // the timer is set once, after all flows that end now
};

}  // namespace gridlock::engine
