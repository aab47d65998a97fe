#include "sim/cli/run_jobs.hpp"

#include "sim/cli/exit_codes.hpp"
#include "sim/jobs/together.hpp"

namespace gridlock::cli {

int run_jobs(const Common& common, const scenario::Scenario& first, const scenario::Scenario& second, bool fold) {
  jobs::check_side_by_side(first, second);
  if (!common.quiet)
    for (const scenario::Scenario* s : {&first, &second})
      for (const std::string& warning : s->warnings) tell(s->name + ": warning: " + warning + "\n");
  const jobs::Together result = jobs::run_together(first, second, fold);
  deliver(common, jobs::together_text(result), jobs::together_json(result).dump(2) + "\n");
  return ExitCode::done;
}

}  // namespace gridlock::cli
