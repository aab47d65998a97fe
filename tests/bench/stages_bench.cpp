// Time of each stage of the flagship (4,096 GPUs) before the simulation: loading, fabric, step graph, traffic, folding.
// Build with -DGRIDLOCK_BENCH=ON; run build/release/stages_bench from the source folder.

#include <benchmark/benchmark.h>

#include "sim/fold/quotient.hpp"
#include "sim/parallel/step_builder.hpp"
#include "sim/scenario/load.hpp"

namespace {

using namespace gridlock;

const char* const flagship = GRIDLOCK_SOURCE_DIR "/scenarios/gpt3-175b-4096xh100.yaml";

void load(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(scenario::load_scenario(flagship));
}

void fabric(benchmark::State& state) {
  const scenario::Scenario s = scenario::load_scenario(flagship);
  for (auto _ : state) benchmark::DoNotOptimize(topology::build_fabric(s.cluster, s.profile.links, s.faults.links));
}

void step_graph(benchmark::State& state) {
  const scenario::Scenario s = scenario::load_scenario(flagship);
  for (auto _ : state) benchmark::DoNotOptimize(parallel::build_step_graph(s));
}

void traffic(benchmark::State& state) {
  const scenario::Scenario s = scenario::load_scenario(flagship);
  const topology::Fabric built = topology::build_fabric(s.cluster, s.profile.links, s.faults.links);
  const parallel::StepGraph graph = parallel::build_step_graph(s);
  for (auto _ : state) {
    const topology::Router router(built, s.seed);
    benchmark::DoNotOptimize(parallel::make_traffic(graph, built, router, {.tuning = s.profile.tuning, .forced = {}}));
  }
}

void folding(benchmark::State& state) {
  const scenario::Scenario s = scenario::load_scenario(flagship);
  const topology::Fabric built = topology::build_fabric(s.cluster, s.profile.links, s.faults.links);
  const parallel::StepGraph graph = parallel::build_step_graph(s);
  const topology::Router router(built, s.seed);
  const parallel::Traffic all = parallel::make_traffic(graph, built, router, {.tuning = s.profile.tuning, .forced = {}});
  for (auto _ : state) benchmark::DoNotOptimize(fold::fold(graph, all, built));
}

BENCHMARK(load)->Unit(benchmark::kMillisecond);
BENCHMARK(fabric)->Unit(benchmark::kMillisecond);
BENCHMARK(step_graph)->Unit(benchmark::kMillisecond);
BENCHMARK(traffic)->Unit(benchmark::kMillisecond);
BENCHMARK(folding)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
