// What `gridlock collective` prints: nccl-tests' table, its reasons, and JSON in the shape of nccl-tests' own (-J).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/bench/benchmark.hpp"

namespace gridlock::bench {

// Header comments and table.
std::string table_text(const scenario::Scenario& machine, const Request& request, const Outcome& outcome);

// Comment lines: every candidate of every size with its terms, and why the first one ran.
std::string explanation_text(const Request& request, const Outcome& outcome);

// schema gridlock.collective/1, see docs/reference/collective.md. Keys of nccl-tests keep its units (us, GB/s).
nlohmann::ordered_json outcome_json(const scenario::Scenario& machine, const Request& request, const Outcome& outcome,
                                    bool explain);

// Parts that other reports share.
std::string machine_line(const scenario::Scenario& machine, const collectives::CommunicatorShape& shape);
nlohmann::ordered_json cluster_json(const scenario::Scenario& machine);
nlohmann::ordered_json engine_json(const EngineFigures& engine);
// Adds `algorithm` and `protocol`, or the `phases` of a two-level collective.
void add_way(nlohmann::ordered_json& json, const Row& row);

}  // namespace gridlock::bench
