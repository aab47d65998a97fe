// gridlock sweep --html FILE: the finished sweep as a page with charts (sim/report/html/assets/sweep.js).
#pragma once

#include <string>

#include "sim/sweep/result_file.hpp"

namespace gridlock::cli {

void write_sweep_page(const sweep::ResultFile& file, const std::string& html);

}  // namespace gridlock::cli
