// The keys of a scenario and of the catalogue files, each declared once (see fields.hpp).
#pragma once

#include "sim/scenario/fields.hpp"
#include "sim/scenario/matmul.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridlock::scenario {

void describe(Fields& f, topology::GpuSpec& gpu);
void describe(Fields& f, topology::NodeSpec& node);
void describe(Fields& f, topology::FabricSpec& fabric);
void describe(Fields& f, topology::ClusterSpec& cluster);
void describe(Fields& f, model::ModelSpec& model);
void describe(Fields& f, model::Profile& profile);
void describe(Fields& f, Parallelism& p);
void describe(Fields& f, CollectiveLists& lists);
void describe(Fields& f, Scenario& s);
void describe(Fields& f, Matmul& s);
void describe_machine(Fields& f, Scenario& s);  // cluster, profile, faults and seed alone

struct SweepBlock;

Custom placement_type(topology::PlacementSpec& placement);
void describe(Fields& f, SweepBlock& sweep);

// Integer fields that bound the work a typing mistake can cause.
inline constexpr double most_gpus = 1 << 20;

}  // namespace gridlock::scenario
