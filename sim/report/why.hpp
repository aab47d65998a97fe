// Why the step takes as long as it does: the waits of all GPUs, gathered by cause, the most GPU-seconds first, each with what
// would end it.
//
// A finding gathers the waits of all rank classes that are in one state, for one operation, bounded by one thing: all
// tensor-parallel collectives are one operation, all links between the same two kinds of device that are equally fast are one
// thing. Its GPU-seconds are part of GPUs x step time, so findings never count a second twice.
//
// What would end a wait (a remedy) is tried out: the changed step is simulated (sim/whatif), and what that simulation said is
// what is reported.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/report/run_report.hpp"
#include "sim/whatif/change.hpp"

namespace gridlock::report {

// What one changed simulation said.
struct Remedy {
  enum class Kind : std::uint8_t { bandwidth, no_latency, healthy, batch };
  Kind kind = Kind::bandwidth;
  std::vector<std::string> links;  // bandwidth: classes whose links were made faster, both directions
  bool channels = false;           // bandwidth: and the GPUs' channels copy for these operations as much faster
  double factor = 1;               // bandwidth: times theirs (whatif::unlimited: no limit); batch: times the micro-batches
  bool hides = false;              // at most 5 % of the wait is left
  double left_gpu_seconds = 0;     // of the wait
  analysis::BoundKind rest = analysis::BoundKind::link;  // bandwidth: what bounds most of what is left
  double step_s = 0;
};

struct Finding {
  analysis::State state = analysis::State::other;
  std::string operation;            // "tensor-parallel collectives", "dp.reduce_scatter", "end of the step"
  std::vector<std::string> labels;  // its operations as `communicators[].label` of the result names them
  analysis::BoundKind bound = analysis::BoundKind::link;
  std::string bound_name;    // "GPU to NVSwitch", "NIC to leaf, rail 3", "stage 1"
  std::vector<Index> links;  // link classes
  Index peer = none;         // rank class that most of it is spent waiting for
  std::vector<Index> ranks;  // rank classes that wait, longest first
  double gpu_seconds = 0;
  double gpus = 0;  // that wait
  std::vector<Remedy> remedies;
};

struct Why {
  std::vector<Finding> findings;  // most GPU-seconds first; those below 0.1 % of all GPU time are left out
  double gpus = 0, step_s = 0;
  double share(const Finding& f) const { return f.gpu_seconds / (gpus * step_s); }
};

using TryOut = std::function<whatif::Outcome(const whatif::Change&)>;

// "NIC to leaf" of "leaf to NIC" too: one cable, two directions.
std::string cable_base(const std::string& link_base);

// Gathers the findings, without remedies.
Why find_reasons(const RunReport& report);

// Finds the remedies of the `count` first findings by simulating changes: 1 to about 20 simulations each.
void find_remedies(const RunReport& report, const TryOut& try_out, std::size_t count, Why& why);

// One sentence on the finding and one on each remedy.
std::string sentence(const RunReport& report, const Why& why, const Finding& finding);
std::string sentence(const RunReport& report, const Finding& finding, const Remedy& remedy);

// The numbered story, and the table of GPU-seconds by state and rank class, for the terminal.
std::string why_text(const RunReport& report, const Why& why);

// The `why` object of the result (docs/reference/result.md).
nlohmann::ordered_json why_json(const RunReport& report, const Why& why);

}  // namespace gridlock::report
