#include "sim/sweep/lines.hpp"

#include <algorithm>
#include <numeric>

namespace gridlock::sweep {
namespace {

bool has_lines(const Axis& axis) { return axis.numeric() && axis.size() > 1; }

void visit_lines_along(const Grid& grid, std::size_t a, const std::function<void(const Line&)>& visit) {
  const Axis& axis = grid.axes()[a];
  std::vector<std::size_t> order(axis.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return axis.numbers[i]; });
  Line line;
  line.axis = a;
  for (const std::size_t i : order) line.numbers.push_back(axis.numbers[i]);
  line.points.resize(axis.size());
  const std::uint64_t stride = grid.stride(a), block = stride * axis.size();
  for (std::uint64_t outer = 0; outer < grid.size(); outer += block)
    for (std::uint64_t inner = 0; inner < stride; ++inner) {
      const std::uint64_t first = outer + inner;
      line.held = grid.place(first);
      for (std::size_t i = 0; i < order.size(); ++i) line.points[i] = first + order[i] * stride;
      visit(line);
    }
}

}  // namespace

void visit_lines(const Grid& grid, const std::function<void(const Line&)>& visit) {
  for (std::size_t a = 0; a < grid.axes().size(); ++a)
    if (has_lines(grid.axes()[a])) visit_lines_along(grid, a, visit);
}

std::uint64_t count_lines(const Grid& grid) {
  std::uint64_t count = 0;
  for (const Axis& axis : grid.axes())
    if (has_lines(axis)) count += grid.size() / axis.size();
  return count;
}

}  // namespace gridlock::sweep
