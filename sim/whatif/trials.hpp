// Changed steps of one scenario, each simulated in a process of its own.
#pragma once

#include "sim/whatif/change.hpp"
#include "sim/whatif/fork_server.hpp"

namespace gridlock::whatif {

class Trials {
 public:
  // Make it before this process simulates. The scenario must outlive it.
  Trials(const scenario::Scenario& scenario, bool fold);

  // Throws WorkerFailed.
  Outcome run(const Change& change);
  int count() const { return count_; }

 private:
  ForkServer server_;
  int count_ = 0;
};

}  // namespace gridlock::whatif
