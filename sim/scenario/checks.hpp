// What must hold between the keys of a scenario. Runs after every key has been read; fills in what is derived.
#pragma once

#include "sim/scenario/diagnostic.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridlock::scenario {

// cluster, placement, faults: also right for files that describe only a cluster.
void check_cluster(Scenario& s, Diagnostics& out);

// Lists of algorithms and protocols can be read.
void check_collectives(const Scenario& s, Diagnostics& out);

// model against tensor parallelism: divisibility of heads, widths and sequence.
void check_model(const Scenario& s, Diagnostics& out);

// Ranks, stages, layers, batch. Fills parallelism.data and layers_per_stage.
void check_split(Scenario& s, Diagnostics& out);

// Keys that are set and not read, given the others. After the checks above.
void warn_about_unused(const Scenario& s, Diagnostics& out);

// `expect:` says something, and nothing impossible.
void check_expectations(const Scenario& s, Diagnostics& out);

}  // namespace gridlock::scenario
