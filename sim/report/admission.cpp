#include "sim/report/admission.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/model/flops.hpp"
#include "sim/parallel/memory.hpp"
#include "sim/report/format.hpp"
#include "sim/scenario/load.hpp"

namespace gridlock::report {
namespace {

// Tasks that the programs of all stages have together: what a folded run costs at least, in time and memory.
double count_tasks(const scenario::Scenario& s) {
  const scenario::Parallelism& p = s.parallelism;
  const double passes = 2.0 * static_cast<double>(s.micro_batches());
  const double parameters = model::total_parameters(s.model, s.batch.sequence) / p.tensor;
  const double buckets = p.data > 1 ? 2 * parameters / s.optimizer.bucket_parameters : 0;
  return s.steps * (passes * (s.model.layers + 4.0 * p.pipeline * p.virtual_stages) + buckets);
}

}  // namespace

std::optional<std::string> too_long(const scenario::Scenario& s) {
  const double tasks = count_tasks(s);
  if (tasks <= 3e7) return std::nullopt;
  return fmt::format(
      "{} micro-batches on {} stages make {:.2g} tasks, about {} and {}; look at batch.global and optimizer.bucket",
      s.micro_batches(), s.parallelism.pipeline, tasks, seconds(tasks * 3e-6), bytes(tasks * 200));
}

void require_memory(scenario::Scenario& s, bool ignore) {
  const parallel::MemoryUse use = parallel::memory_use(s);
  if (use.fits()) return;
  const std::string what = fmt::format(
      "stage {} needs {} of GPU memory and has {}: {} too much (weights {}, gradients {}, optimizer {}, activations {}, buffers "
      "{})",
      use.stage, bytes(use.parts.total()), bytes(use.capacity_bytes), bytes(use.parts.total() - use.capacity_bytes),
      bytes(use.parts.weights), bytes(use.parts.gradients), bytes(use.parts.optimizer), bytes(use.parts.activations),
      bytes(use.parts.buffers));
  if (ignore) return s.warnings.push_back(what);
  std::string help;
  for (const std::string& change : parallel::changes_that_fit(s)) help += (help.empty() ? "this would fit: " : "; or ") + change;
  if (help.empty())
    help = "no single change of recompute, optimizer, micro-batch or tensor size fits: use more GPUs or a larger pipeline";
  throw scenario::InvalidScenario(scenario::locate(s, "parallelism", what, help + "; --ignore-memory runs it anyway"));
}

std::string FoldedCost::text() const {
  return fmt::format("hardly any ranks are alike, {:.2g} tasks remain: about {} and {} of memory", tasks,
                     report::seconds(seconds), report::bytes(bytes));
}

FoldedCost folded_cost(double tasks, int samples, int cpus) {
  const double rounds = 1 + (samples + cpus - 1) / cpus;
  return {tasks, tasks * 1.4e-6 * rounds, tasks * 65 * std::clamp(samples, 1, cpus)};
}

}  // namespace gridlock::report
