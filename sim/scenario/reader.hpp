// Reads a map of the document into a typed value by its declaration (fields.hpp). Every mistake is collected; a value that
// could not be read keeps what it was, so that reading goes on and finds the next mistake.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/diagnostic.hpp"
#include "sim/scenario/fields.hpp"

namespace gridlock::scenario {

// `key_mark` is where the map's own key stands: that is where a missing key is reported. `path` is its dotted path
// ("cluster.fabric", "" at the top). Unknown keys are errors.
void read_map(const Node& map, const Mark& key_mark, const std::string& path, Diagnostics& out, const Describe& describe);

}  // namespace gridlock::scenario
