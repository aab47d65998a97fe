// Replaces references by what they name, in the document tree: `node: hgx-h100` by the map in hardware/hgx-h100.yaml, and
// `{base: h100-sxm, dispatch: 2us}` by that file's map with the given keys changed. Marks keep pointing into the files.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/catalogue.hpp"

namespace gridlock::scenario {

// A whole scenario may start from another: `base: gpt3-175b.yaml` (a path) at its top level, and the keys that differ.
void resolve_base(Node& root, Catalogue& catalogue);

// The folder whose names the key at `path` may hold ("cluster.node": "hardware"); empty for all other keys.
std::string_view reference_folder(std::string_view path);

// `node` and all references inside it. `path` is its place in the scenario. What cannot be resolved is reported and marked as
// failed, so that the other mistakes of the scenario come to light in the same run.
void resolve_references(Node& node, const std::string& path, Catalogue& catalogue, Diagnostics& out);

// Applies "a.b.c=value" (the value is YAML; an empty one removes the key) or "a.b.list+=element" to the tree; resolves a
// reference that the path leads through. Throws InvalidScenario pointing into the text of the override.
void apply_override(Node& root, const std::string& text, Catalogue& catalogue);

}  // namespace gridlock::scenario
