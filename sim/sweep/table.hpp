// A sweep as people read it in a terminal.
#pragma once

#include <string>

#include "sim/sweep/result_file.hpp"

namespace gridlock::sweep {

inline constexpr std::uint64_t most_rows = 200;  // of the table; the result file has all

// A row for each point of the grid, a spark-line for each line along the last numeric axis, knees, reversals and notes.
std::string table(const ResultFile& file);

// "▁▂▃▅▇": low for fast steps, a space for a point that failed. Linear between the least and the largest.
std::string spark_line(const std::vector<double>& values);

}  // namespace gridlock::sweep
