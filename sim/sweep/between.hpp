// Values between two that an axis has. Zipped paths move together: with share u of the way from a to b along the first path,
//
//   x = a (b / a)^u   where both are above zero,   x = a + (b - a) u   else
//
// for every path. Whole numbers that are zipped have nothing between them: 64 nodes of data 8 and 128 of 16 do not say what
// fits 85 nodes.
#pragma once

#include <string>
#include <vector>

#include "sim/sweep/axis.hpp"

namespace gridlock::sweep {

// Why nothing can be put between an axis's values; empty when something can. REQUIRES axis.numeric()
std::string why_nothing_between(const Axis& axis);

// The values at which the first path is `number`, between the values `from` and `to` of the axis, one for each path.
// REQUIRES why_nothing_between(axis).empty()
std::vector<std::string> values_between(const Axis& axis, std::size_t from, std::size_t to, double number);

// At a third and two thirds of the way, and neither of the ends.
std::vector<double> thirds(double from, double to, bool whole);

}  // namespace gridlock::sweep
