#include "sim/sweep/analyse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/report/format.hpp"
#include "sim/sweep/knee.hpp"
#include "sim/sweep/lines.hpp"
#include "sim/sweep/reversal.hpp"

namespace gridlock::sweep {
namespace {

constexpr std::size_t most_notes = 12;

using LineKey = std::pair<std::size_t, std::vector<std::size_t>>;

std::string three_figures(double value) { return fmt::format("{:.3g}", value); }

}  // namespace

std::string line_name(const Grid& grid, std::size_t axis, const std::vector<std::size_t>& held) {
  std::string text = grid.axes()[axis].paths.front();
  std::string others;
  for (std::size_t a = 0; a < grid.axes().size(); ++a) {
    if (a == axis) continue;
    const Axis& other = grid.axes()[a];
    for (std::size_t p = 0; p < other.paths.size(); ++p)
      others += fmt::format("{}{}={}", others.empty() ? "" : ", ", other.paths[p], other.values[held[a]][p]);
  }
  return others.empty() ? text : text + " at " + others;
}

std::string knee_text(const Header& header, const Knee& knee) {
  const Axis& axis = header.axes[knee.axis];
  const double low = std::min(knee.slow_value, knee.fast_value), high = std::max(knee.slow_value, knee.fast_value);
  const std::string where = knee.why_wide.empty() ? three_figures(knee.value) + axis.unit
                                                  : fmt::format("a value from {} to {}{} (no narrower: {})", three_figures(low),
                                                                three_figures(high), axis.unit, knee.why_wide);
  return fmt::format("{} {} the step takes more than {:g} % longer than its best {}: {}; on the other side: {}",
                     knee.below ? "below" : "above", where, 100 * header.knee_threshold, report::seconds(knee.plateau_s),
                     knee.slow_regime, knee.fast_regime);
}

std::string reversal_text(const Grid& grid, const Reversal& r) {
  const auto from = grid.place(static_cast<std::uint64_t>(r.from)), to = grid.place(static_cast<std::uint64_t>(r.to));
  const Axis& axis = grid.axes()[r.axis];
  std::vector<std::size_t> held = from;
  held[r.axis] = 0;
  return fmt::format("{}: from {} to {} the step gets {} slower: {}", line_name(grid, r.axis, held),
                     axis.value_text(from[r.axis]), axis.value_text(to[r.axis]), report::seconds(r.slower_s), r.why);
}

std::vector<std::string> notes_on(const ResultFile& file, const std::vector<Knee>& knees) {
  std::vector<std::string> notes;
  if (file.header().knee_threshold <= 0) return notes;
  std::set<LineKey> with_knee;
  for (const Knee& knee : knees) {
    with_knee.insert({knee.axis, knee.held});
    if (knee.saturated || notes.size() >= most_notes) continue;
    notes.push_back(
        fmt::format("{}: the step is still getting faster at the end of the range, so the knee is against the best "
                    "value swept, not against a plateau",
                    line_name(file.grid(), knee.axis, knee.held)));
  }
  visit_lines(file.grid(), [&](const Line& line) {
    if (notes.size() >= most_notes || with_knee.contains({line.axis, line.held})) return;
    const auto valid = std::ranges::count_if(line.points, [&](std::uint64_t p) { return !std::isnan(file.step_s(p)); });
    if (valid >= 2)
      notes.push_back(fmt::format("{}: no knee, the step changes by less than {:g} % over the range",
                                  line_name(file.grid(), line.axis, line.held), 100 * file.header().knee_threshold));
  });
  return notes;
}

Result analyse(const ResultFile& file) {
  Result result;
  result.header = file.header();
  for (std::uint64_t index = 0; index < file.grid().size(); ++index)
    if (file.has(index)) result.points.push_back(file.read(index));
  std::ranges::move(file.all_refined(), std::back_inserter(result.points));
  result.knees = find_knees(file);
  result.reversals = find_reversals(file);
  result.notes = notes_on(file, result.knees);
  return result;
}

}  // namespace gridlock::sweep
