#include "sim/bench/engine_run.hpp"

namespace gridlock::bench {

Outcome simulate(const scenario::Scenario& scenario, const Request& request, bool folded) {
  const Machine machine(scenario);
  std::vector<Job> jobs;
  jobs.emplace_back(machine, request);
  Outcome outcome{jobs[0].shape(), jobs[0].plan(), {}};
  std::vector<Round> rounds;
  for (const Row& row : outcome.rows) rounds.push_back({{0, &row}});
  const CallGraph calls = make_call_graph(machine, jobs, rounds);
  const std::vector<CallSpan> spans = run_calls(machine, calls, folded, outcome.engine);
  for (std::size_t r = 0; r < outcome.rows.size(); ++r) {
    outcome.rows[r].time_s = jobs[0].measured_s(turn_seconds(spans, calls.calls[r][0], outcome.rows[r].phases));
  }
  return outcome;
}

}  // namespace gridlock::bench
