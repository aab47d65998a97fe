#include "sim/sweep/specification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/sweep/paths.hpp"

namespace gridlock::sweep {
namespace {

struct Column {
  std::string path;
  std::vector<std::string> values;
  bool whole = false;
};

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

Column parse_column(const std::string& text, const char* option) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw SpecificationError(fmt::format("'{}' is not PATH=VALUES: write {} cluster.fabric.nic=50..1600Gbps:32", text, option));
  Column column{trimmed(text.substr(0, equals)), {}};
  column.whole = check_path(column.path);
  column.values = parse_values(text.substr(equals + 1), column.whole);
  return column;
}

// The same value twice is one point: 400Gbps and 0.4Tbps are.
void drop_repeated(Axis& axis) {
  std::set<std::vector<std::string>> seen;
  std::set<double> numbers;
  const bool one_path = axis.paths.size() == 1 && axis.numeric();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < axis.size(); ++i) {
    const bool fresh = one_path ? numbers.insert(axis.numbers[i]).second : seen.insert(axis.values[i]).second;
    if (!fresh) continue;
    if (kept != i) axis.values[kept] = std::move(axis.values[i]);
    if (axis.numeric()) axis.numbers[kept] = axis.numbers[i];
    ++kept;
  }
  axis.values.resize(kept);
  if (axis.numeric()) axis.numbers.resize(kept);
}

Axis make_axis(std::vector<Column> columns) {
  Axis axis;
  const std::string first = columns.front().path;
  axis.values.resize(columns.front().values.size());
  axis.whole = columns.front().whole;
  for (Column& column : columns) {
    if (column.values.size() != axis.values.size())
      throw SpecificationError(fmt::format("zipped values go in step: {} has {} and {} has {}", first, axis.values.size(),
                                           column.path, column.values.size()));
    for (std::size_t i = 0; i < axis.values.size(); ++i) axis.values[i].push_back(std::move(column.values[i]));
    axis.paths.push_back(std::move(column.path));
  }
  if (axis.paths.front() != "seed") recognise_numbers(axis);  // seeds are names: one is not more than another
  drop_repeated(axis);
  const std::set<double> different(axis.numbers.begin(), axis.numbers.end());
  if (different.size() < axis.size()) axis.numbers.clear();  // zipped, and the first path alone does not tell the values apart
  return axis;
}

Axis axis_of_block(const scenario::SweepBlock::Axis& block) {
  std::vector<Column> columns;
  for (const auto& [path, values] : block.columns) {
    const bool whole = check_path(path);
    columns.push_back({path, values.size() == 1 ? parse_values(values.front(), whole) : values, whole});
  }
  return make_axis(std::move(columns));
}

}  // namespace

Axis parse_vary(const std::string& text) { return make_axis({parse_column(text, "--vary")}); }

Axis parse_zip(const std::string& text) {
  std::vector<Column> columns;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(';', begin), text.size());
    columns.push_back(parse_column(text.substr(begin, end - begin), "--zip"));
    begin = end + 1;
  }
  return make_axis(std::move(columns));
}

std::vector<Axis> make_axes(const std::vector<std::string>& vary, const std::vector<std::string>& zip,
                            const scenario::SweepBlock& block) {
  std::vector<Axis> axes;
  for (const std::string& text : vary) axes.push_back(parse_vary(text));
  for (const std::string& text : zip) axes.push_back(parse_zip(text));
  if (axes.empty())
    for (const scenario::SweepBlock::Axis& axis : block.axes) axes.push_back(axis_of_block(axis));
  if (axes.empty())
    throw SpecificationError(
        "nothing to sweep: add --vary PATH=A..B:N, such as --vary cluster.fabric.nic=log:50..1600Gbps:11, or a `sweep:` block to "
        "the scenario");
  std::set<std::string> paths;
  for (const Axis& axis : axes)
    for (const std::string& path : axis.paths)
      if (!paths.insert(path).second) throw SpecificationError(fmt::format("{} is swept twice", path));
  return axes;
}

}  // namespace gridlock::sweep
