// Lines of a grid: all points in which one axis varies and the others are held.
#pragma once

#include <functional>
#include <vector>

#include "sim/sweep/grid.hpp"

namespace gridlock::sweep {

struct Line {
  std::size_t axis = 0;
  std::vector<std::size_t> held;      // by axis: index of its value; 0 for the one that varies
  std::vector<std::uint64_t> points;  // grid indices, by ascending number of the axis
  std::vector<double> numbers;        // theirs
};

// Every line along numeric axes with at least two values.
void visit_lines(const Grid& grid, const std::function<void(const Line&)>& visit);
std::uint64_t count_lines(const Grid& grid);

}  // namespace gridlock::sweep
