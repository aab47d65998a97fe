// Knees: where a line of the grid leaves its best step time.
//
//   plateau  t* = the least step time of the line's grid points
//   knee     walking from there to smaller values, the first place where t > (1 + threshold) t*; the same to larger values
//
// The grid encloses a knee between two neighbours; two points between them at equal ratios (distances, where values are not
// above zero) leave a third of the interval, again and again until it is narrower than half a percent (or two whole numbers
// follow each other); zipped paths move together (between.hpp). The points wanted depend on the results alone, never on who
// computes them when.
//
// Worked example: t(x) = max(1, 100 / x), threshold 5 %: knee at x = 100 / 1.05 = 95.24.
#pragma once

#include <optional>

#include "sim/sweep/lines.hpp"
#include "sim/sweep/result_file.hpp"

namespace gridlock::sweep {

inline constexpr double knee_tolerance = 0.005;           // of the value: how narrow the enclosing interval must be
inline constexpr std::uint64_t most_refined_lines = 256;  // in grids with more, knees stay as the grid encloses them

struct KneeSearch {
  std::vector<Knee> knees;                       // none, one, or one on each side
  std::vector<std::vector<std::string>> wanted;  // points that would narrow them, by values; empty: done
};

// What is known about the line's knees so far.
KneeSearch search_knees(const ResultFile& file, const Line& line);

// Of all lines, narrowed as far as the file's points allow.
std::vector<Knee> find_knees(const ResultFile& file);

// The points that would narrow the knees of any line; each once.
std::vector<std::vector<std::string>> wanted_points(const ResultFile& file);

}  // namespace gridlock::sweep
