// Everything that is said about one simulated step: computed once, then printed as JSON, as a summary or as a trace.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/analysis/breakdown.hpp"
#include "sim/analysis/calls.hpp"
#include "sim/analysis/critical_path.hpp"
#include "sim/analysis/loads.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/parallel/memory.hpp"
#include "sim/report/names.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridlock::report {

// Speeds and FLOPs of the step; formulas in sim/model/flops.hpp.
struct StepFigures {
  double time_s = 0;
  std::optional<double> time_s_stderr;  // where the profile says its errors
  double tokens_per_s = 0, tokens_per_s_per_gpu = 0;
  double model_flops_causal = 0, model_flops_full = 0;  // whole step, all GPUs, no recomputation
  double peak_flops_per_s_per_gpu = 0;                  // dense, of the precision
  double mfu_causal = 0, mfu_full = 0, hfu = 0;
};

// What the machine that simulated did.
struct HostFigures {
  double wall_s = 0;
  double peak_rss_bytes = 0;
};

class RunReport {
 public:
  RunReport(const scenario::Scenario& scenario, const engine::Simulation& simulation);

  const scenario::Scenario& scenario;
  const engine::Simulation& simulation;
  analysis::History history;
  Names names;
  StepFigures step;
  parallel::MemoryUse memory;
  analysis::LinkLoads loads;
  analysis::Bottlenecks bottlenecks;
  analysis::Breakdown breakdown;
  analysis::CriticalPath critical_path;
  std::vector<analysis::CallStatistics> calls;
  std::vector<std::string> warnings;

  // "dp.reduce_scatter"; "data group of stage 3"; "stage 3 -> stage 4".
  std::string call_label(const analysis::CallStatistics& call) const;
  std::string call_group(const analysis::CallStatistics& call) const;
};

}  // namespace gridlock::report
