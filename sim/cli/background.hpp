// --background 'link:PATTERN=0.3': somebody else's traffic, as a constant share of links.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/scenario.hpp"

namespace gridlock::cli {

// Lowers the capacity of the links by the share, as a link fault does; says so in the scenario's warnings. Throws UsageError.
void add_background(scenario::Scenario& scenario, const std::vector<std::string>& background);

}  // namespace gridlock::cli
