// "What if": the same step on a cluster, or with a plan, that differs in one respect.
//
// A change leaves everything else as it was: the algorithm and protocol of each collective too (NCCL's tables know the kind of a
// link, not its speed). The outcome says what became of the step and of each operation that made GPUs wait.
#pragma once

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/analysis/bottleneck.hpp"
#include "sim/analysis/state.hpp"
#include "sim/scenario/scenario.hpp"
#include "topology/fabric.hpp"

namespace gridlock::whatif {

constexpr double unlimited = 1e6;  // times the bandwidth: any transfer then takes no time that counts

struct Change {
  std::vector<topology::LinkId> links;  // their capacity is multiplied by bandwidth_factor
  std::vector<std::string> channels;    // operations, by label, whose GPUs' channels copy bandwidth_factor times as fast
  double bandwidth_factor = 1;
  std::vector<std::string> no_latency;  // operations whose calls and messages pay no latency
  bool healthy = false;                 // without the scenario's faults: no slow GPU, no slow link
  int batch_factor = 1;                 // times the sequences of a step, so times the micro-batches
};

// What waits for one operation after it has started, over all GPUs.
struct Exposure {
  double gpu_seconds = 0;
  std::array<double, 4> by_bound{};     // the same by analysis::BoundKind
  std::vector<topology::LinkId> links;  // that bound it, sorted
};

struct Outcome {
  double step_s = 0;
  analysis::Seconds mean{};                   // breakdown, mean over GPUs
  std::map<std::string, Exposure> exposures;  // by label of the operation
};

void to_json(nlohmann::json& json, const Change& change);
void from_json(const nlohmann::json& json, Change& change);
void to_json(nlohmann::json& json, const Outcome& outcome);
void from_json(const nlohmann::json& json, Outcome& outcome);

// Simulates the changed step: once a process. Throws as engine::simulate does.
Outcome try_out(const scenario::Scenario& scenario, const Change& change, bool fold);

}  // namespace gridlock::whatif
