// The cluster that a command line or a row of measurements names: a scenario file, or a node of the catalogue and how many of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/scenario.hpp"

namespace gridlock::bench {

struct ClusterName {
  std::string name;          // "my/scenario.yaml" or "hgx-h100"
  std::optional<int> nodes;  // default: the scenario's, or 1
  std::string profile;       // default: the scenario's, or the one named like the node's GPU
  std::string fabric_kind;   // default: the scenario's, or rail_fat_tree
};

// Throws scenario::FileError, scenario::InvalidScenario.
scenario::Scenario load_cluster(const ClusterName& cluster, const std::vector<std::string>& overrides);

}  // namespace gridlock::bench
