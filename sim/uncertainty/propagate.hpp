// What the errors of a profile mean for the step time: the step is simulated once more for each of some drawn profiles.
#pragma once

#include "sim/engine/simulate.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridlock::uncertainty {

// Standard deviation in seconds of the step times of `samples` drawn profiles. Each runs in a process of its own (SimGrid), as
// many at a time as there are CPUs. Call it before this process has simulated anything, and while it has one thread. Throws
// std::runtime_error when one of them fails.
double step_time_error(const scenario::Scenario& scenario, int samples, const engine::SimulationOptions& options);

}  // namespace gridlock::uncertainty
