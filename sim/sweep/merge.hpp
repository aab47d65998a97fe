// Joins the result files of the shards of one sweep.
#pragma once

#include <string>
#include <vector>

#include "sim/sweep/result_file.hpp"

namespace gridlock::sweep {

// Writes the points of `files`, each once, to `merged`, which is of the same sweep. Throws WrongFile when a file is of another
// sweep, or two files disagree about a point.
void merge(const std::vector<std::string>& files, ResultFile& merged);

}  // namespace gridlock::sweep
