// The resolved scenario as JSON: every default filled in, every reference inlined, quantities with units. JSON is YAML, so the
// output is itself a scenario that loads to the same values.
#pragma once

#include <nlohmann/json.hpp>

#include "sim/scenario/fields.hpp"

namespace gridlock::scenario {

nlohmann::ordered_json write_map(const Describe& describe);

}  // namespace gridlock::scenario
