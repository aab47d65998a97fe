// gridlock run A.yaml --with B.yaml: jobs on one fabric.
#pragma once

#include <string>

#include "sim/cli/command.hpp"
#include "sim/jobs/together.hpp"

namespace gridlock::cli {

// `html`: file of the page with charts; empty: none.
int run_jobs(const Common& common, const jobs::Scenarios& jobs, bool fold, const std::string& html);

}  // namespace gridlock::cli
