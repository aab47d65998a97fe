// A sweep as JSON lines in the order of its grid: header, points, refining points, then knees, reversals and notes.
#pragma once

#include <functional>
#include <string>

#include "sim/sweep/result_file.hpp"

namespace gridlock::sweep {

// Calls `put` with one line after the other, without the newline.
void write_json_lines(const ResultFile& file, const std::function<void(const std::string&)>& put);

}  // namespace gridlock::sweep
