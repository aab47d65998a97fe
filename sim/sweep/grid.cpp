#include "sim/sweep/grid.hpp"

#include "sim/sweep/values.hpp"

namespace gridlock::sweep {

Grid::Grid(std::vector<Axis> axes) : axes_(std::move(axes)) {
  constexpr std::uint64_t most = std::uint64_t{1} << 53;
  for (const Axis& axis : axes_) {
    if (size_ > most / axis.size()) throw SpecificationError("the grid has more than 2^53 points");
    size_ *= axis.size();
  }
}

std::vector<std::size_t> Grid::place(std::uint64_t index) const {
  std::vector<std::size_t> place(axes_.size());
  for (std::size_t a = axes_.size(); a-- > 0;) {
    place[a] = static_cast<std::size_t>(index % axes_[a].size());
    index /= axes_[a].size();
  }
  return place;
}

std::uint64_t Grid::index(const std::vector<std::size_t>& place) const {
  std::uint64_t index = 0;
  for (std::size_t a = 0; a < axes_.size(); ++a) index = index * axes_[a].size() + place[a];
  return index;
}

std::uint64_t Grid::stride(std::size_t axis) const {
  std::uint64_t stride = 1;
  for (std::size_t a = axis + 1; a < axes_.size(); ++a) stride *= axes_[a].size();
  return stride;
}

std::vector<std::string> Grid::values(std::uint64_t index) const {
  const std::vector<std::size_t> at = place(index);
  std::vector<std::string> values;
  for (std::size_t a = 0; a < axes_.size(); ++a)
    values.insert(values.end(), axes_[a].values[at[a]].begin(), axes_[a].values[at[a]].end());
  return values;
}

std::vector<std::string> Grid::overrides(const std::vector<std::string>& values) const {
  std::vector<std::string> overrides;
  for (const Axis& axis : axes_)
    for (const std::string& path : axis.paths) overrides.push_back(path + "=" + values[overrides.size()]);
  return overrides;
}

std::size_t Grid::first_path(std::size_t axis) const {
  std::size_t column = 0;
  for (std::size_t a = 0; a < axis; ++a) column += axes_[a].paths.size();
  return column;
}

}  // namespace gridlock::sweep
