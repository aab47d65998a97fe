#include <fmt/format.h>

#include "sim/jobs/together.hpp"
#include "sim/report/format.hpp"
#include "sim/report/version.hpp"

namespace gridlock::jobs {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t most_links = 12;

double exposed_share(const analysis::Seconds& seconds, double whole) {
  double sum = 0;
  for (std::size_t s = 0; s < analysis::state_count; ++s)
    if (analysis::is_exposed(static_cast<analysis::State>(s))) sum += seconds[s];
  return sum / whole;
}

Json seconds_json(const analysis::Seconds& seconds) {
  Json json;
  for (std::size_t s = 0; s < analysis::state_count; ++s) json[std::string(analysis::state_names[s])] = seconds[s];
  return json;
}

}  // namespace

std::string together_text(const Together& t) {
  std::string text = fmt::format(
      "{} jobs on one fabric\n\n  job                            GPUs      alone   together             exposed alone  "
      "together\n",
      t.jobs.size());
  for (const JobTimes& j : t.jobs)
    text +=
        fmt::format("  {:<26}{:>9}{:>11}{:>11}  {:>+6.1f} % {:>18}{:>10}\n", report::clip(j.name, 26), report::thousands(j.gpus),
                    report::seconds(j.alone_s), report::seconds(j.together_s), 100 * (j.together_s / j.alone_s - 1),
                    report::percent(exposed_share(j.alone, j.alone_s)), report::percent(exposed_share(j.beside, 1)));
  if (t.links.empty()) return text + "\n  no link carries bytes of more than one\n";
  text += fmt::format("\n  links that carry bytes of several, mean load in {}\n  {:<44}{:>7}", report::seconds(t.window_s), "",
                      "links");
  for (const JobTimes& j : t.jobs) text += fmt::format("{:>12}", report::clip(j.name, 11));
  text += fmt::format("{:>9}\n", "sum");
  for (std::size_t i = 0; i < std::min(t.links.size(), most_links); ++i) {
    const Contested& l = t.links[i];
    text += fmt::format("  {:<44}{:>7}", report::clip(l.name, 44), l.members);
    for (const double of_job : l.utilization) text += fmt::format("{:>12}", report::percent(of_job));
    text += fmt::format("{:>9}\n", report::percent(l.load()));
  }
  if (t.links.size() > most_links)
    text += fmt::format("  and {} classes more (--json has them all)\n", t.links.size() - most_links);
  return text;
}

Json together_json(const Together& t) {
  Json jobs = Json::array(), links = Json::array();
  for (const JobTimes& j : t.jobs)
    jobs.push_back({{"name", j.name},
                    {"gpus", j.gpus},
                    {"alone_s", j.alone_s},
                    {"together_s", j.together_s},
                    {"slowdown", j.together_s / j.alone_s - 1},
                    {"steps", j.steps},
                    {"breakdown_alone", seconds_json(j.alone)},
                    {"shares_together", seconds_json(j.beside)}});
  for (const Contested& l : t.links)
    links.push_back({{"name", l.name},
                     {"members", l.members},
                     {"capacity_bytes_per_s", l.capacity_bytes_per_s},
                     {"utilization", l.utilization}});
  return {{"schema", "gridlock.jobs/1"}, {"version", report::version()}, {"window_s", t.window_s},
          {"jobs", std::move(jobs)},     {"links", std::move(links)},    {"engine", {{"activities", t.activities}}}};
}

}  // namespace gridlock::jobs
