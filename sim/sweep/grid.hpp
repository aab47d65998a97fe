// All combinations of the values of the axes, by number. Nothing is stored for a point: a grid of a million costs no memory.
//
//   axes of 3 and 2 values: index 4 = (2, 0): the last axis varies fastest, index = 2 * 2 + 0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/sweep/axis.hpp"

namespace gridlock::sweep {

class Grid {
 public:
  // Throws SpecificationError when there are more than 2^53 points.
  explicit Grid(std::vector<Axis> axes);

  const std::vector<Axis>& axes() const { return axes_; }
  std::uint64_t size() const { return size_; }
  std::vector<std::size_t> place(std::uint64_t index) const;  // by axis
  std::uint64_t index(const std::vector<std::size_t>& place) const;
  std::uint64_t stride(std::size_t axis) const;                                      // between neighbours on this axis
  std::vector<std::string> values(std::uint64_t index) const;                        // by path of all axes
  std::vector<std::string> overrides(const std::vector<std::string>& values) const;  // "PATH=VALUE", as --set takes them
  std::size_t first_path(std::size_t axis) const;                                    // its place in `values`

 private:
  std::vector<Axis> axes_;
  std::uint64_t size_ = 1;
};

}  // namespace gridlock::sweep
