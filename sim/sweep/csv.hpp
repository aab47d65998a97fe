// A sweep as CSV (RFC 4180): a row a point, refining ones last. Columns are documented in docs/reference/sweep.md.
#pragma once

#include <string>

#include "sim/sweep/result_file.hpp"

namespace gridlock::sweep {

// Throws scenario::FileError when the file cannot be written.
void write_csv(const ResultFile& file, const std::string& name);

}  // namespace gridlock::sweep
