// The timeline in Chrome's trace event format, for ui.perfetto.dev: a process for each rank class (or for one rank), a track for
// each of its streams, counters for link loads. Times are microseconds from the start of the reported step.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/report/run_report.hpp"

namespace gridlock::report {

// gzip when the name ends in .gz. Throws scenario::FileError when the file cannot be written.
void write_trace(const RunReport& report, const std::string& file, std::optional<parallel::RankId> only);

}  // namespace gridlock::report
