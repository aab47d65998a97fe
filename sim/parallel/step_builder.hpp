// From a scenario to the step graph: layout, blocks, programs, communicators and messages of every rank.
#pragma once

#include "sim/parallel/layout.hpp"
#include "sim/parallel/step_graph.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridlock::parallel {

StepGraph build_step_graph(const scenario::Scenario& scenario);

}  // namespace gridlock::parallel
