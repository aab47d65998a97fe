#include "sim/bench/concurrent_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/bench/report.hpp"
#include "sim/bench/units.hpp"
#include "sim/report/names.hpp"
#include "sim/report/version.hpp"

namespace gridlock::bench {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t most_links_shown = 10;

std::string ranks_text(const Request& request, const collectives::CommunicatorShape& shape) {
  if (request.members.empty()) return fmt::format("all {}", shape.ranks);
  std::vector<std::uint32_t> sorted = request.members;
  std::ranges::sort(sorted);
  return report::compress(sorted);
}

// "Ring Simple", or "two levels".
std::string way_text(const Row& row) {
  if (!row.phases.empty()) return "two levels";
  return fmt::format("{} {}", collectives::name(row.candidates.front().algorithm),
                     collectives::name(row.candidates.front().protocol));
}

std::string fight_text(const Together& together, const Fight& fight) {
  std::string text = fmt::format("#\n#{:>3}  {:<15}{:>12}  {:<16} {:<16}{:>13}{:>15}{:>10}\n", "", "collective", "size (B)",
                                 "ranks", "runs as", "alone (us)", "together (us)", "slowdown");
  for (std::size_t j = 0; j < fight.contenders.size(); ++j) {
    const Contender& c = fight.contenders[j];
    text += fmt::format("{:>4}  {:<15}{:>12}  {:<16} {:<16}{:>13.2f}{:>15.2f}{:>9.2f}x\n", j + 1,
                        collectives::name(together.requests[j].kind), c.row.size.bytes,
                        ranks_text(together.requests[j], together.shapes[j]), way_text(c.row), c.row.time_s / us,
                        c.together_s / us, c.together_s / c.row.time_s);
  }
  if (fight.shared.empty()) return text + "#   no link in common\n";
  text += "#   links they share: how many, what each sends over the busiest, and how long that takes at least\n";
  for (std::size_t i = 0; i < std::min(fight.shared.size(), most_links_shown); ++i) {
    const SharedLinks& links = fight.shared[i];
    text +=
        fmt::format("#   {:<26}{:>6} like {:<32}{:>8.1f} GB/s ", links.name, links.count, links.example, links.bytes_per_s / gb);
    for (std::size_t j = 0; j < links.bytes.size(); ++j)
      if (links.bytes[j] > 0) text += fmt::format(" {}: {:.4g} MB", j + 1, links.bytes[j] / 1e6);
    text += fmt::format("  {:.2f} us\n", links.busy_s / us);
  }
  if (fight.shared.size() > most_links_shown)
    text += fmt::format("#   and {} less busy kinds: see --json\n", fight.shared.size() - most_links_shown);
  return text;
}

ordered_json contender_json(const Together& together, const Fight& fight, std::size_t j) {
  const Contender& c = fight.contenders[j];
  ordered_json json{{"collective", collectives::name(together.requests[j].kind)}};
  if (together.requests[j].members.empty())
    json["ranks"] = together.shapes[j].ranks;
  else
    json["members"] = ranks_text(together.requests[j], together.shapes[j]), json["ranks"] = together.shapes[j].ranks;
  json["size"] = c.row.size.bytes;
  add_way(json, c.row);
  json["alone_s"] = c.row.time_s;
  json["together_s"] = c.together_s;
  json["slowdown"] = c.together_s / c.row.time_s;
  return json;
}

}  // namespace

std::string together_text(const scenario::Scenario& machine, const Together& together) {
  std::string text =
      fmt::format("# gridlock {}: {} collectives at once, simulated\n", report::version(), together.requests.size());
  text += machine_line(machine, together.shapes.front());
  for (const Fight& fight : together.fights) text += fight_text(together, fight);
  return text;
}

ordered_json together_json(const scenario::Scenario& machine, const Together& together) {
  ordered_json json{{"schema", "gridlock.concurrent/1"}, {"version", report::version()}, {"cluster", cluster_json(machine)}};
  for (const Fight& fight : together.fights) {
    ordered_json one;
    for (std::size_t j = 0; j < fight.contenders.size(); ++j) one["collectives"].push_back(contender_json(together, fight, j));
    one["shared_links"] = ordered_json::array();
    for (const SharedLinks& links : fight.shared)
      one["shared_links"].push_back({{"name", links.name},
                                     {"count", links.count},
                                     {"example", links.example},
                                     {"capacity_bytes_per_s", links.bytes_per_s},
                                     {"bytes", links.bytes},
                                     {"busy_s", links.busy_s}});
    json["results"].push_back(std::move(one));
  }
  json["engine"] = engine_json(together.engine);
  return json;
}

}  // namespace gridlock::bench
