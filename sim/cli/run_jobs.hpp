// gridlock run A.yaml --with B.yaml: two jobs on one fabric.
#pragma once

#include "sim/cli/command.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridlock::cli {

int run_jobs(const Common& common, const scenario::Scenario& first, const scenario::Scenario& second, bool fold);

}  // namespace gridlock::cli
