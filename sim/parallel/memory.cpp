#include "sim/parallel/memory.hpp"

#include <fmt/format.h>

#include "sim/parallel/block_input.hpp"

namespace gridlock::parallel {
namespace {

model::PipelineKind pipeline_kind(scenario::Schedule schedule) {
  switch (schedule) {
    case scenario::Schedule::gpipe:
      return model::PipelineKind::gpipe;
    case scenario::Schedule::one_f_one_b:
      return model::PipelineKind::one_f_one_b;
    case scenario::Schedule::interleaved_1f1b:
      return model::PipelineKind::interleaved_1f1b;
  }
  return model::PipelineKind::one_f_one_b;
}

}  // namespace

MemoryUse memory_use(const scenario::Scenario& s) {
  MemoryUse fullest;
  fullest.capacity_bytes = s.cluster.node.gpu.hbm_bytes;
  const scenario::Parallelism& p = s.parallelism;
  for (int stage = 0; stage < p.pipeline; ++stage) {
    std::vector<int> layers;
    for (int chunk = 0; chunk < p.virtual_stages; ++chunk)
      layers.push_back(p.layers_per_stage[static_cast<std::size_t>(chunk * p.pipeline + stage)]);
    const model::MemoryParts parts = model::stage_memory({.block = block_input(s),
                                                          .schedule = pipeline_kind(p.schedule),
                                                          .stage = stage,
                                                          .stages = p.pipeline,
                                                          .chunk_layers = layers,
                                                          .micro_batches = static_cast<int>(s.micro_batches()),
                                                          .data = p.data,
                                                          .shard_optimizer = s.optimizer.zero == 1});
    if (parts.total() > fullest.parts.total()) fullest.parts = parts, fullest.stage = stage;
  }
  return fullest;
}

std::vector<std::string> changes_that_fit(const scenario::Scenario& original) {
  std::vector<std::string> changes;
  const auto attempt = [&](const std::string& what, auto change) {
    scenario::Scenario changed = original;
    change(changed);
    const MemoryUse use = memory_use(changed);
    if (use.fits()) changes.push_back(fmt::format("{} ({:.1f} GB)", what, use.parts.total() / 1e9));
  };
  if (original.parallelism.tensor > 1 && !original.parallelism.sequence_parallel)
    attempt("parallelism.sequence_parallel: true", [](auto& s) { s.parallelism.sequence_parallel = true; });
  if (original.optimizer.zero == 0 && original.parallelism.data > 1)
    attempt("optimizer.zero: 1", [](auto& s) { s.optimizer.zero = 1; });
  if (original.recompute == model::Recompute::none)
    attempt("recompute: selective", [](auto& s) { s.recompute = model::Recompute::selective; });
  if (original.recompute != model::Recompute::full)
    attempt("recompute: full", [](auto& s) { s.recompute = model::Recompute::full; });
  if (original.batch.micro > 1 && original.batch.micro % 2 == 0)
    attempt(fmt::format("batch.micro: {}", original.batch.micro / 2), [](auto& s) { s.batch.micro /= 2; });
  if (original.optimizer.gradients == scenario::GradientType::fp32)
    attempt("optimizer.gradients: bf16", [](auto& s) { s.optimizer.gradients = scenario::GradientType::bf16; });
  if (original.parallelism.data % 2 == 0 && original.model.heads % (2 * original.parallelism.tensor) == 0)
    attempt(fmt::format("parallelism.tensor: {} and data: {}", original.parallelism.tensor * 2, original.parallelism.data / 2),
            [](auto& s) {
              s.parallelism.tensor *= 2;
              s.parallelism.data /= 2;
            });
  return changes;
}

}  // namespace gridlock::parallel
