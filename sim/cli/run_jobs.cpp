#include "sim/cli/run_jobs.hpp"

#include "sim/cli/exit_codes.hpp"
#include "sim/report/html/assets.hpp"
#include "sim/report/html/page.hpp"

namespace gridlock::cli {
namespace {

void write_jobs_page(const std::string& html, const jobs::Scenarios& scenarios, const nlohmann::ordered_json& result) {
  std::string title;
  for (const scenario::Scenario* s : scenarios) title += (title.empty() ? "" : " beside ") + s->name;
  report::html::write_page(html, title, report::html::jobs_script,
                           {{"result", result}, {"state_titles", report::html::state_titles()}});
}

}  // namespace

int run_jobs(const Common& common, const jobs::Scenarios& scenarios, bool fold, const std::string& html) {
  jobs::check_side_by_side(scenarios);
  if (!common.quiet)
    for (const scenario::Scenario* s : scenarios)
      for (const std::string& warning : s->warnings) tell(s->name + ": warning: " + warning + "\n");
  const jobs::Together result = jobs::run_together(scenarios, fold);
  const nlohmann::ordered_json json = jobs::together_json(result);
  if (!html.empty()) write_jobs_page(html, scenarios, json);
  deliver(common, jobs::together_text(result), json.dump(2) + "\n");
  return ExitCode::done;
}

}  // namespace gridlock::cli
