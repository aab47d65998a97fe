// The unfolded problem: every rank, communicator, message, edge and link its own class. The oracle of folding: it shares
// nothing with sim/fold/ but the step graph and its traffic.
#pragma once

#include "sim/engine/problem.hpp"
#include "topology/fabric.hpp"

namespace gridlock::engine {

Problem full_problem(const parallel::StepGraph& graph, const parallel::Traffic& traffic, const topology::Fabric& fabric);

}  // namespace gridlock::engine
