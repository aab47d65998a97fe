// Training jobs on one fabric: how long a step of each takes alone, and while the others run beside it, and which links they
// fight for.
//
// All start at the same instant. The job whose step takes longest alone is the reference: its last step (`steps`) is the window.
// The others repeat their steps until the window is over. Their step time beside the reference is the mean over their steps that
// end in the window, without their first.
//
// Worked example: n equal jobs, each with c seconds of kernels and then g seconds of gradients over one uplink that all share
// evenly: alone c + g, together c + n g.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/analysis/state.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridlock::jobs {

struct JobTimes {
  std::string name;
  double gpus = 0;
  double alone_s = 0, together_s = 0;
  int steps = 0;               // that together_s is the mean of
  analysis::Seconds alone{};   // breakdown, mean over its GPUs
  analysis::Seconds beside{};  // the same during the window, per second of it
};

// A class of links that flows of several jobs crossed in the window.
struct Contested {
  std::string name;
  std::uint32_t members = 1;
  double capacity_bytes_per_s = 0;
  std::vector<double> utilization;  // by job, mean over the window

  double load() const;  // all of them together
};

struct Together {
  std::vector<JobTimes> jobs;
  std::vector<Contested> links;  // fullest first
  double window_s = 0;
  std::uint64_t activities = 0;
};

using Scenarios = std::vector<const scenario::Scenario*>;  // at least two

// Refuses jobs that cannot run side by side: other machines, profiles or link faults, GPUs in common. Throws
// scenario::InvalidScenario.
void check_side_by_side(const Scenarios& jobs);

// Simulates in child processes. Make sure that this process has not simulated. Throws whatif::WorkerFailed, and
// scenario::InvalidScenario when the lengths of their steps differ too much.
Together run_together(const Scenarios& jobs, bool fold);

std::string together_text(const Together& result);
nlohmann::ordered_json together_json(const Together& result);  // gridlock.jobs/1, docs/reference/jobs.md

}  // namespace gridlock::jobs
