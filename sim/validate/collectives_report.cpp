#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/report/version.hpp"
#include "sim/validate/collectives.hpp"

namespace gridlock::validate {
namespace {

using nlohmann::ordered_json;

constexpr Band bands[] = {Band::small, Band::middle, Band::large};

std::vector<std::string> table_order(const CollectiveScore& score) {
  std::vector<std::string> order;
  for (const CollectiveRow& row : score.rows) {
    if (order.empty() || order.back() != row.scored.table) order.push_back(row.scored.table);
  }
  return order;
}

// Median and 90th percentile of one table in one band; nothing where it has no rows.
std::optional<Summary> summary_of(const CollectiveScore& score, const std::string& table, Band band) {
  std::vector<Scored> rows;
  for (const CollectiveRow& row : score.rows) {
    if (row.scored.table == table && row.scored.band == band) rows.push_back(row.scored);
  }
  if (rows.empty()) return std::nullopt;
  return summarize(rows).front();
}

std::string tables_text(const CollectiveScore& score) {
  std::string text = fmt::format("{:<36} {:<8} {:<8} {:>16} {:>16} {:>16}\n", "median / 90th percentile of |error| %", "domains",
                                 "", name(bands[0]), name(bands[1]), name(bands[2]));
  for (const std::string& table : table_order(score)) {
    const auto first = std::ranges::find_if(score.rows, [&](const CollectiveRow& row) { return row.scored.table == table; });
    text +=
        fmt::format("{:<36} {:<8} {:<8}", table, first->scored.single_domain ? "single" : "several", name(first->scored.basis));
    for (const Band band : bands) {
      const std::optional<Summary> s = summary_of(score, table, band);
      text += s ? fmt::format(" {:>16}", fmt::format("{:.1f} / {:.1f}", 100 * s->median, 100 * s->ninetieth))
                : fmt::format(" {:>16}", "-");
    }
    text += '\n';
  }
  return text;
}

std::string summary_text(const CollectiveScore& score) {
  std::string text = fmt::format("\n{:<8} {:<8} {:<16} {:>7} {:>6} {:>9} {:>9} {:>9}\n", "domains", "", "size", "tables", "rows",
                                 "median", "90th", "bias");
  for (const Summary& s : score.summary) {
    text +=
        fmt::format("{:<8} {:<8} {:<16} {:>7} {:>6} {:>7.1f} % {:>7.1f} % {:>+7.1f} %\n", s.single_domain ? "single" : "several",
                    name(s.basis), name(s.band), s.tables, s.rows, 100 * s.median, 100 * s.ninetieth, 100 * s.bias);
  }
  return text;
}

std::string worst_text(const CollectiveScore& score, std::size_t count) {
  std::string text = fmt::format("\nworst rows\n{:<36} {:>12} {:>14} {:>14} {:>9}  {}\n", "table", "size (B)", "measured (us)",
                                 "predicted (us)", "error", "chosen");
  for (const CollectiveRow* row : worst_rows(score, count)) {
    text += fmt::format("{:<36} {:>12} {:>14.2f} {:>14.2f} {:>+7.1f} %  {} {}\n", row->scored.table, row->bytes,
                        row->measured_s * 1e6, row->predicted_s * 1e6, 100 * row->scored.error,
                        collectives::name(row->choice.algorithm), collectives::name(row->choice.protocol));
  }
  return text;
}

ordered_json rows_json(const std::vector<CollectiveRow>& rows) {
  ordered_json json = ordered_json::array();
  for (const CollectiveRow& row : rows)
    json.push_back({{"table", row.scored.table},
                    {"size", row.bytes},
                    {"band", name(row.scored.band)},
                    {"domains", row.scored.single_domain ? "single" : "several"},
                    {"basis", name(row.scored.basis)},
                    {"fitted", row.scored.basis != Basis::unseen},
                    {"algorithm", collectives::name(row.choice.algorithm)},
                    {"protocol", collectives::name(row.choice.protocol)},
                    {"measured_s", row.measured_s},
                    {"predicted_s", row.predicted_s},
                    {"error", row.scored.error}});
  return json;
}

}  // namespace

std::vector<const CollectiveRow*> worst_rows(const CollectiveScore& score, std::size_t count) {
  std::vector<const CollectiveRow*> rows;
  for (const CollectiveRow& row : score.rows) rows.push_back(&row);
  std::ranges::stable_sort(rows, std::greater<>{}, [](const CollectiveRow* row) { return std::abs(row->scored.error); });
  rows.resize(std::min(count, rows.size()));
  return rows;
}

std::string collectives_text(const CollectiveScore& score, std::size_t worst) {
  std::string text = tables_text(score) + summary_text(score);
  if (!score.rows.empty()) text += worst_text(score, worst);
  if (!score.skipped.empty()) text += fmt::format("\nleft out\n  {}\n", fmt::join(score.skipped, "\n  "));
  return text;
}

ordered_json collectives_json(const CollectiveScore& score) {
  ordered_json json{{"schema", "gridlock.validation.collectives/1"}, {"version", report::version()}};
  json["summary"] = ordered_json::array();
  for (const Summary& s : score.summary)
    json["summary"].push_back({{"domains", s.single_domain ? "single" : "several"},
                               {"basis", name(s.basis)},
                               {"fitted", s.basis != Basis::unseen},
                               {"band", name(s.band)},
                               {"tables", s.tables},
                               {"rows", s.rows},
                               {"median_abs_error", s.median},
                               {"p90_abs_error", s.ninetieth},
                               {"median_error", s.bias}});
  json["rows"] = rows_json(score.rows);
  json["left_out_rows"] = rows_json(score.left_out);
  json["left_out"] = score.skipped;
  return json;
}

}  // namespace gridlock::validate
