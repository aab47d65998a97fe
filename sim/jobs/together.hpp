// Two training jobs on one fabric: how long a step of each takes alone, and while the other runs beside it, and which links both
// want.
//
// Both start at the same instant. The job whose step takes longer alone is the reference: its last step (`steps`) is the window.
// The other repeats its steps until the window is over. Its step time beside the reference is the mean over its steps that end in
// the window, without its first.
//
// Worked example: two equal jobs, each with c seconds of kernels and then g seconds of gradients over one uplink that both share
// evenly: alone c + g, together c + 2 g.
#pragma once

#include <array>
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

// A class of links that flows of both jobs crossed in the window.
struct Contested {
  std::string name;
  std::uint32_t members = 1;
  double capacity_bytes_per_s = 0;
  std::array<double, 2> utilization{};  // of each job, mean over the window
};

struct Together {
  std::array<JobTimes, 2> jobs;
  std::vector<Contested> links;  // fullest first
  double window_s = 0;
  std::uint64_t activities = 0;
};

// Refuses jobs that cannot run side by side: other machines, profiles or link faults, GPUs in common. Throws
// scenario::InvalidScenario.
void check_side_by_side(const scenario::Scenario& first, const scenario::Scenario& second);

// Simulates in child processes. Make sure that this process has not simulated. Throws whatif::WorkerFailed.
Together run_together(const scenario::Scenario& first, const scenario::Scenario& second, bool fold);

std::string together_text(const Together& result);
nlohmann::ordered_json together_json(const Together& result);  // gridlock.jobs/1, docs/reference/jobs.md

}  // namespace gridlock::jobs
