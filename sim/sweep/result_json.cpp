#include "sim/sweep/result_json.hpp"

#include "sim/sweep/analyse.hpp"
#include "sim/sweep/header.hpp"
#include "sim/sweep/knee.hpp"
#include "sim/sweep/reversal.hpp"

namespace gridlock::sweep {
namespace {

using Json = nlohmann::ordered_json;

Json knee_json(const ResultFile& file, const Knee& k) {
  return {{"line", line_name(file.grid(), k.axis, k.held)},
          {"axis", k.axis},
          {"held", k.held},
          {"side", k.below ? "below" : "above"},
          {"value", k.value},
          {"unit", file.grid().axes()[k.axis].unit},
          {"fast_value", k.fast_value},
          {"slow_value", k.slow_value},
          {"why_wide", k.why_wide},
          {"plateau_s", k.plateau_s},
          {"saturated", k.saturated},
          {"fast_regime", k.fast_regime},
          {"slow_regime", k.slow_regime}};
}

}  // namespace

void write_json_lines(const ResultFile& file, const std::function<void(const std::string&)>& put) {
  put(header_json(file.header()).dump());
  for (std::uint64_t i = 0; i < file.grid().size(); ++i)
    if (file.has(i)) put(point_json(file.read(i)).dump());
  for (const Point& point : file.all_refined()) put(point_json(point).dump());
  const std::vector<Knee> knees = find_knees(file);
  for (const Knee& knee : knees) put(Json{{"knee", knee_json(file, knee)}}.dump());
  for (const Reversal& r : find_reversals(file))
    put(Json{{"reversal", {{"axis", r.axis}, {"from", r.from}, {"to", r.to}, {"slower_s", r.slower_s}, {"why", r.why}}}}.dump());
  for (const std::string& note : notes_on(file, knees)) put(Json{{"note", note}}.dump());
}

}  // namespace gridlock::sweep
