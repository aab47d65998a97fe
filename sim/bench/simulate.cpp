#include "sim/bench/benchmark.hpp"
#include "sim/bench/setup.hpp"
#include "sim/engine/contraction.hpp"
#include "sim/engine/executor.hpp"
#include "sim/engine/full.hpp"
#include "sim/engine/make_backend.hpp"
#include "sim/fold/quotient.hpp"

namespace gridlock::bench {
namespace {

using parallel::Index;

// Every rank makes all calls in order, on one stream and one communicator.
parallel::StepGraph call_sequence(const Setup& setup, const Request& request, const std::vector<Row>& rows) {
  parallel::StepGraph graph;
  parallel::Program program;
  program.name = "collective";
  for (const Row& row : rows) {
    parallel::Task task;
    task.kind = parallel::TaskKind::collective;
    task.what = static_cast<Index>(graph.calls.size());
    program.tasks.push_back(task);
    graph.calls.push_back({std::string(collectives::name(request.kind)), request.kind, static_cast<double>(row.size.bytes)});
  }
  graph.programs.push_back(std::move(program));
  const std::size_t ranks = setup.gpus.size();
  graph.rank_program.assign(ranks, 0);
  graph.rank_gpu = setup.gpus;
  graph.rank_speed.assign(ranks, 1);
  graph.communicator_slots = 1;
  graph.rank_communicator.assign(ranks, 0);
  parallel::Communicator all;
  for (parallel::RankId rank = 0; rank < ranks; ++rank) all.members.push_back(rank);
  graph.communicators.push_back(std::move(all));
  return graph;
}

void add_pattern(parallel::Traffic& traffic, const collectives::Pattern& pattern) {
  traffic.communicators[0].patterns.push_back(
      {pattern.algorithm, static_cast<Index>(traffic.edges.size()), static_cast<Index>(pattern.bundles.size())});
  for (const collectives::Bundle& bundle : pattern.bundles) {
    traffic.edges.push_back(
        {static_cast<std::uint32_t>(traffic.links.size()), static_cast<std::uint32_t>(bundle.links.size()), bundle.share, 0});
    traffic.links.insert(traffic.links.end(), bundle.links.begin(), bundle.links.end());
  }
}

// Where training steps treat calls of a few bytes as latency alone (parallel/traffic.hpp), here every byte flows.
parallel::Traffic traffic_of(const Setup& setup, const Request& request, const std::vector<Row>& rows) {
  parallel::Traffic traffic;
  traffic.communicators.resize(1);
  traffic.shapes.push_back(setup.shape);
  traffic.calls = rows.size();
  std::vector<collectives::Algorithm> laid;
  for (const Row& row : rows) {
    parallel::CallPlan plan;
    plan.choice = row.candidates.front();
    plan.wire_bytes = setup.wire_bytes(request.kind, plan.choice, static_cast<double>(row.size.bytes));
    plan.choice.bus_cap_bytes_per_s = setup.rate_cap(request.kind, plan.choice) / plan.choice.wire_inflation;
    traffic.plans.push_back(plan);
    if (plan.wire_bytes == 0 || std::ranges::find(laid, plan.choice.algorithm) != laid.end()) continue;
    laid.push_back(plan.choice.algorithm);
    add_pattern(traffic, setup.pattern(request, plan.choice.algorithm));
  }
  return traffic;
}

}  // namespace

Outcome simulate(const scenario::Scenario& machine, const Request& request, bool folded) {
  const Setup setup(machine, request);
  Outcome outcome{setup.shape, setup.plan(request), {}};
  const parallel::StepGraph graph = call_sequence(setup, request, outcome.rows);
  const parallel::Traffic traffic = traffic_of(setup, request, outcome.rows);
  engine::Problem problem =
      folded ? fold::fold(graph, traffic, setup.fabric) : engine::full_problem(graph, traffic, setup.fabric);
  if (folded) engine::mark_exclusive(problem);
  const std::unique_ptr<engine::Backend> backend = engine::make_backend(problem, engine::sharing_for(problem));
  const engine::Timeline timeline = engine::execute(problem, *backend, {.contract = folded});
  for (std::size_t call = 0; call < outcome.rows.size(); ++call) {
    const engine::CallInstance& instance = timeline.instances.front()[call];
    outcome.rows[call].time_s = setup.measured_s(request, instance.finish - instance.joined);
  }
  outcome.engine = {problem.flows.size(), problem.links.size(), timeline.activities};
  return outcome;
}

}  // namespace gridlock::bench
