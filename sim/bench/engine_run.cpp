#include "sim/bench/engine_run.hpp"

#include "sim/engine/contraction.hpp"
#include "sim/engine/executor.hpp"
#include "sim/engine/full.hpp"
#include "sim/engine/make_backend.hpp"
#include "sim/fold/quotient.hpp"

namespace gridlock::bench {

std::vector<CallSpan> run_calls(const Machine& machine, const CallGraph& calls, bool folded, EngineFigures& figures) {
  engine::Problem problem = folded ? fold::fold(calls.graph, calls.traffic, machine.fabric)
                                   : engine::full_problem(calls.graph, calls.traffic, machine.fabric);
  if (folded) engine::mark_exclusive(problem);
  const std::unique_ptr<engine::Backend> backend = engine::make_backend(problem, engine::sharing_for(problem));
  const engine::Timeline timeline = engine::execute(problem, *backend, {.contract = folded});
  figures = {problem.flows.size(), problem.links.size(), timeline.activities};
  return call_spans(calls, timeline);
}

double turn_seconds(const std::vector<CallSpan>& spans, const std::vector<parallel::Index>& calls, std::vector<Phase>& phases) {
  const double start = spans[calls.front()].start_s, end = spans[calls.back()].end_s;
  double before = start;
  for (std::size_t p = 0; p < phases.size(); ++p) {
    phases[p].time_s = spans[calls[p]].end_s - before;
    before = spans[calls[p]].end_s;
  }
  return end - start;
}

}  // namespace gridlock::bench
