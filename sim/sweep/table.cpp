#include "sim/sweep/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "sim/report/format.hpp"
#include "sim/sweep/analyse.hpp"
#include "sim/sweep/knee.hpp"
#include "sim/sweep/lines.hpp"
#include "sim/sweep/reversal.hpp"

namespace gridlock::sweep {
namespace {

using analysis::State;

constexpr std::size_t most_sparks = 20;

// The last key of a path: the whole would fill the terminal.
std::string short_name(const std::string& path) { return path.substr(path.rfind('.') + 1); }

std::vector<std::string> column_names(const Grid& grid) {
  std::vector<std::string> names;
  for (const Axis& axis : grid.axes())
    for (const std::string& path : axis.paths) names.push_back(short_name(path));
  return names;
}

// Wide enough for the name and every value.
std::vector<std::size_t> column_widths(const Grid& grid, const std::vector<std::string>& names) {
  std::vector<std::size_t> widths;
  for (const Axis& axis : grid.axes())
    for (std::size_t p = 0; p < axis.paths.size(); ++p) {
      std::size_t width = names[widths.size()].size();
      for (const auto& value : axis.values) width = std::max(width, std::min<std::size_t>(value[p].size(), 24));
      widths.push_back(width);
    }
  return widths;
}

double share(const Point& p, std::initializer_list<State> states) {
  double sum = 0;
  for (const State s : states) sum += analysis::at(p.breakdown, s);
  return sum / p.step_s;
}

std::string list(const std::string& title, const std::vector<std::string>& lines) {
  if (lines.empty()) return "";
  std::string text = "\n  " + title + "\n";
  for (const std::string& line : lines) text += "  - " + line + "\n";
  return text;
}

constexpr std::size_t most_error = 60;  // characters of an error that fit into a row

std::string row(const Point& p, double best) {
  if (p.failed()) return "failed: " + report::clip(p.error, most_error);
  return fmt::format(
      "{:>9}  {:>6.2f}  {:>6}  {:>7} {:>7} {:>7} {:>7} {:>8}  {:>4.0f} %  {}", report::seconds(p.step_s), p.step_s / best,
      fmt::format("{:.1f} %", 100 * p.mfu_full), report::percent(share(p, {State::compute, State::memory_bound, State::host})),
      report::percent(share(p, {State::exposed_tensor, State::exposed_context, State::exposed_expert})),
      report::percent(share(p, {State::exposed_pipeline})), report::percent(share(p, {State::exposed_data})),
      report::percent(share(p, {State::straggler, State::bubble, State::other})), 100 * p.bottleneck_utilization, p.bottleneck);
}

// The errors that do not fit into their rows, each once, with the first point that has it.
std::vector<std::string> long_errors(const ResultFile& file) {
  constexpr std::size_t most_errors = 12;
  std::vector<std::string> lines;
  std::set<std::string> seen;
  for (std::uint64_t i = 0, rows = 0; i < file.grid().size() && rows < most_rows; ++i) {
    if (!file.has(i)) continue;
    ++rows;
    if (!std::isnan(file.step_s(i))) continue;
    const Point point = file.read(i);
    if (point.error.size() <= most_error || lines.size() == most_errors || !seen.insert(point.error).second) continue;
    lines.push_back(fmt::format("{}: {}", fmt::join(point.values, ", "), point.error));
  }
  return lines;
}

double best_step(const ResultFile& file) {
  double best = std::numeric_limits<double>::infinity();
  for (std::uint64_t i = 0; i < file.grid().size(); ++i)
    if (const double step = file.step_s(i); step < best) best = step;
  return best;
}

std::string rows(const ResultFile& file) {
  const Grid& grid = file.grid();
  const std::vector<std::string> names = column_names(grid);
  const std::vector<std::size_t> widths = column_widths(grid, names);
  std::string text = "\n ";
  for (std::size_t c = 0; c < names.size(); ++c) text += fmt::format(" {:>{}}", names[c], widths[c]);
  text += fmt::format("  {:>9}  {:>6}  {:>6}  {:>7} {:>7} {:>7} {:>7} {:>8}  {:>6}  {}\n", "step", "x best", "MFU", "kernels",
                      "tensor", "pipe", "data", "waiting", "util", "bottleneck");
  const double best = best_step(file);
  std::uint64_t shown = 0;
  for (std::uint64_t i = 0; i < grid.size() && shown < most_rows; ++i) {
    if (!file.has(i)) continue;
    const Point point = file.read(i);
    text += " ";
    for (std::size_t c = 0; c < point.values.size(); ++c)
      text += fmt::format(" {:>{}}", report::clip(point.values[c], 24), widths[c]);
    text += "  " + row(point, best) + "\n";
    ++shown;
  }
  if (shown < file.grid_points())
    text += fmt::format("  ... and {} more: --csv or -o has them all\n",
                        report::thousands(static_cast<double>(file.grid_points() - shown)));
  return text;
}

std::string sparks(const ResultFile& file) {
  std::string text;
  std::size_t shown = 0;
  if (!file.header().scaling.empty()) return text;  // its own table says it better
  visit_lines(file.grid(), [&](const Line& line) {
    if (shown++ >= most_sparks || line.points.size() > 120) return;
    std::vector<double> steps;
    for (const std::uint64_t p : line.points) steps.push_back(file.step_s(p));
    const Axis& axis = file.grid().axes()[line.axis];
    text += fmt::format("  {}  {} .. {}{}  {}\n", spark_line(steps), line.numbers.front(), line.numbers.back(), axis.unit,
                        line_name(file.grid(), line.axis, line.held));
  });
  return text.empty() ? "" : "\n  step time (low is fast)\n" + text;
}

}  // namespace

std::string spark_line(const std::vector<double>& values) {
  static constexpr std::array<std::string_view, 8> levels{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const double v : values)
    if (!std::isnan(v)) least = std::min(least, v), most = std::max(most, v);
  std::string text;
  for (const double v : values) {
    const double height = most > least ? (v - least) / (most - least) : 0;
    text += std::isnan(v) ? " " : levels[static_cast<std::size_t>(std::lround(height * 7))];
  }
  return text;
}

std::string table(const ResultFile& file) {
  const Grid& grid = file.grid();
  std::string text =
      fmt::format("{}: {} of {} points", file.header().scenario, report::thousands(static_cast<double>(file.grid_points())),
                  report::thousands(static_cast<double>(grid.size())));
  const std::size_t extra = file.all_refined().size();
  if (extra > 0) text += fmt::format(", {} more around knees", extra);
  if (file.failed_points() > 0) text += fmt::format(", {} failed", file.failed_points());
  text += "\n" + rows(file) + list("what failed", long_errors(file)) + sparks(file);
  const std::vector<Knee> knees = find_knees(file);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < knees.size() && i < most_sparks; ++i)
    lines.push_back(line_name(grid, knees[i].axis, knees[i].held) + ": " + knee_text(file.header(), knees[i]));
  if (knees.size() > most_sparks) lines.push_back(fmt::format("... and {} more knees", knees.size() - most_sparks));
  text += list("knees", lines);
  lines.clear();
  for (const Reversal& r : find_reversals(file)) lines.push_back(reversal_text(grid, r));
  text += list("more bandwidth, slower step", lines);
  return text + list("notes", notes_on(file, knees));
}

}  // namespace gridlock::sweep
