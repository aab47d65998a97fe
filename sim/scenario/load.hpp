// From a file to a Scenario: parse, apply overrides, inline references, read every key strictly, check, derive.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/diagnostic.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/yaml.hpp"

namespace gridlock::scenario {

// `overrides`: "a.b.c=value" as given to --set, applied in order; they reach into references ("cluster.node.nic=200Gbps").
// Throws FileError when `path` cannot be read and InvalidScenario with everything else that is wrong.
Scenario load_scenario(const std::string& path, const std::vector<std::string>& overrides = {});

// Only `cluster`, `profile`, `faults` and `seed` of the file; other keys are not looked at. For commands without a model.
Scenario load_cluster(const std::string& path, const std::vector<std::string>& overrides = {});

// The same from text that stands in no file; `source->path` is what mistakes are reported under.
Scenario load_scenario(const SourcePtr& source, const std::vector<std::string>& overrides = {});
Scenario load_cluster(const SourcePtr& source, const std::vector<std::string>& overrides = {});
Scenario load_cluster(Node root, const SourcePtr& source, const std::vector<std::string>& overrides = {});  // from a part of it

// A mistake found after loading (topology::SpecError): points at the dotted key, or at its nearest parent in the file.
Diagnostic locate(const Scenario& scenario, const std::string& key, const std::string& message, const std::string& help);

// For editors (`gridlock schema`), and for docs/reference. Both come from the declarations that the loader reads by.
std::string scenario_schema();
std::string scenario_reference_markdown();

}  // namespace gridlock::scenario
