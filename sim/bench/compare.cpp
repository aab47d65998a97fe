#include "sim/bench/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/bench/units.hpp"

namespace gridlock::bench {
namespace {

double median_error(const std::vector<Compared>& rows) {
  std::vector<double> errors;
  for (const Compared& row : rows) errors.push_back(std::abs(row.error()));
  std::ranges::sort(errors);
  const std::size_t half = errors.size() / 2;
  return errors.size() % 2 != 0 ? errors[half] : (errors[half - 1] + errors[half]) / 2;
}

}  // namespace

std::vector<Compared> compare(const Outcome& outcome, const NcclLog& log) {
  std::vector<Compared> rows;
  for (const Row& row : outcome.rows) {
    const auto measured = std::ranges::find(log.rows, row.size.bytes, &MeasuredRow::bytes);
    if (measured != log.rows.end() && row.size.bytes > 0) rows.push_back({row.size.bytes, row.time_s, measured->best_s()});
  }
  return rows;
}

std::string comparison_text(const Request& request, const Outcome& outcome, const std::vector<Compared>& rows) {
  std::string text = "#\n# Simulated beside measured; measured is the smaller of in-place and out-of-place\n";
  if (rows.empty()) return text + "# no size in common\n";
  text +=
      fmt::format("#{:>11}{:>13}{:>13}{:>9}{:>13}{:>13}\n", "size", "simulated", "measured", "error", "simulated", "measured");
  text += fmt::format("#{:>11}{:>13}{:>13}{:>9}{:>13}{:>13}\n", "(B)", "(us)", "(us)", "(%)", "busbw (GB/s)", "busbw (GB/s)");
  const double factor = collectives::bus_factor(request.kind, outcome.shape.ranks) / gb;
  for (const Compared& row : rows) {
    const double bus_bytes = static_cast<double>(row.bytes) * factor;
    text += fmt::format("{:12}{:13.2f}{:13.2f}{:+9.1f}{:13.2f}{:13.2f}\n", row.bytes, row.simulated_s / us, row.measured_s / us,
                        100 * row.error(), bus_bytes / row.simulated_s, bus_bytes / row.measured_s);
  }
  return text +
         fmt::format("# median error of time, without sign: {:.1f} % over {} sizes\n", 100 * median_error(rows), rows.size());
}

nlohmann::ordered_json comparison_json(const std::vector<Compared>& rows) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Compared& row : rows)
    json.push_back(
        {{"size", row.bytes}, {"simulated_s", row.simulated_s}, {"measured_s", row.measured_s}, {"error", row.error()}});
  return json;
}

}  // namespace gridlock::bench
