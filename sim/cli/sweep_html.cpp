#include "sim/cli/sweep_html.hpp"

#include "sim/report/html/assets.hpp"
#include "sim/report/html/page.hpp"
#include "sim/sweep/analyse.hpp"
#include "sim/sweep/header.hpp"

namespace gridlock::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_points = 20'000;  // on the page: about 30 MB

Json knee_json(const sweep::ResultFile& file, const sweep::Knee& knee) {
  const sweep::Header& header = file.header();
  return {{"axis", knee.axis},
          {"held", knee.held},
          {"value", knee.value},
          {"unit", header.axes[knee.axis].unit},
          {"text", sweep::line_name(file.grid(), knee.axis, knee.held) + ": " + sweep::knee_text(header, knee)}};
}

}  // namespace

void write_sweep_page(const sweep::ResultFile& file, const std::string& html) {
  const sweep::Result result = sweep::analyse(file);
  Json points = Json::array(), knees = Json::array(), reversals = Json::array();
  for (const sweep::Point& point : result.points) {
    if (points.size() == most_points) break;
    Json json = sweep::point_json(point);
    json.erase("algorithms");
    json.erase("critical_path");
    points.push_back(std::move(json));
  }
  for (const sweep::Knee& knee : result.knees) knees.push_back(knee_json(file, knee));
  for (const sweep::Reversal& reversal : result.reversals)
    reversals.push_back({{"text", sweep::reversal_text(file.grid(), reversal)}});
  std::vector<std::string> notes = result.notes;
  if (points.size() < result.points.size())
    notes.push_back("only the first " + std::to_string(most_points) + " points are on this page");
  report::html::write_page(html, result.header.scenario + ": sweep", report::html::sweep_script,
                           {{"header", sweep::header_json(result.header)},
                            {"points", std::move(points)},
                            {"knees", std::move(knees)},
                            {"reversals", std::move(reversals)},
                            {"notes", std::move(notes)},
                            {"state_titles", report::html::state_titles()}});
}

}  // namespace gridlock::cli
