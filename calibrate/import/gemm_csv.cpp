#include "calibrate/import/gemm_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/split.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <charconv>
#include <cmath>
#include <optional>

namespace gridlock::calibrate {
namespace {

using Cells = std::vector<std::string>;

struct Position {
  const std::string& name;
  int line = 0;
};

[[noreturn]] void fail(const Position& at, const std::string& message) {
  throw PointError(fmt::format("{}:{}: {}", at.name, at.line, message));
}

Cells cells_of(const std::string& line) {
  Cells cells;
  boost::split(cells, line, [](char c) { return c == ','; });
  for (std::string& cell : cells) boost::trim(cell);
  return cells;
}

struct TimeUnit {
  const char* column;
  double seconds;  // of one
};
constexpr std::array<TimeUnit, 3> time_units{{{"time", 1}, {"time_ms", 1e-3}, {"time_us", 1e-6}}};

class Columns {
 public:
  Columns(const Cells& names, const Position& at) : names_(names) {
    for (const char* name : {"m", "n", "k", "dtype"})
      if (!find(name))
        fail(at, fmt::format("no column \"{}\"; needed: m, n, k, dtype and time, time_ms, time_us or tflops", name));
    const bool timed =
        std::any_of(time_units.begin(), time_units.end(), [&](const TimeUnit& u) { return find(u.column).has_value(); });
    if (!timed && !find("tflops")) fail(at, "no column of times: time (seconds), time_ms, time_us or tflops");
  }
  std::optional<std::size_t> find(const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    return found == names_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - names_.begin()));
  }
  std::size_t count() const { return names_.size(); }

 private:
  Cells names_;
};

double number(const std::string& cell, const Position& at) {
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc{} || end != cell.data() + cell.size() || !(value > 0) || !std::isfinite(value))
    fail(at, fmt::format("expected a positive number, not \"{}\"", cell));
  return value;
}

Point parse_row(const Cells& cells, const Columns& columns, const Position& at) {
  if (cells.size() != columns.count()) fail(at, fmt::format("{} cells under {} columns", cells.size(), columns.count()));
  Point point{"gemm", {{"dtype", cells[*columns.find("dtype")]}}, {{"batch", 1}}, {}, ""};
  if (point.labels["dtype"].empty()) fail(at, "no dtype");
  double flops = 2;
  for (const char* name : {"m", "n", "k", "batch"}) {
    const auto column = columns.find(name);
    if (!column) continue;
    const double value = number(cells[*column], at);
    if (value != std::floor(value)) fail(at, fmt::format("{} must be a whole number, not {}", name, cells[*column]));
    point.numbers[name] = value;
    flops *= value;
  }
  double seconds = 0;
  for (const TimeUnit& unit : time_units)
    if (const auto column = columns.find(unit.column)) seconds = number(cells[*column], at) * unit.seconds;
  if (seconds == 0) seconds = flops / (number(cells[*columns.find("tflops")], at) * 1e12);
  if (!(seconds > 0) || !std::isfinite(seconds)) fail(at, "a time beyond what numbers can say");
  point.seconds = {seconds};
  return point;
}

}  // namespace

std::vector<Point> read_gemm_csv(std::istream& in, const std::string& name) {
  std::vector<Point> points;
  std::optional<Columns> columns;
  Position at{name};
  for (std::string line; std::getline(in, line);) {
    ++at.line;
    boost::trim(line);
    if (line.empty() || line.front() == '#') continue;
    if (columns) {
      points.push_back(parse_row(cells_of(line), *columns, at));
    } else {
      columns.emplace(cells_of(line), at);
    }
  }
  if (points.empty()) fail(at, "no measured product in this file");
  return points;
}

}  // namespace gridlock::calibrate
