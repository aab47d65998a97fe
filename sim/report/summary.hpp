// A run at a glance, for the terminal.
#pragma once

#include <string>

#include "sim/report/run_report.hpp"

namespace gridlock::report {

// "compute-bound kernels": a state of the breakdown as people read it.
std::string_view state_title(analysis::State state);

std::string summary(const RunReport& report, const HostFigures& host, bool with_warnings);

// One rank, through its class: its place, its time by cause, what it waits for.
std::string rank_summary(const RunReport& report, parallel::RankId rank);

}  // namespace gridlock::report
