// What `gridlock collective --concurrent` prints.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/bench/concurrent.hpp"

namespace gridlock::bench {

// Comment line of the machine, then for every size a table of the contenders and one of the links they share.
std::string together_text(const scenario::Scenario& machine, const Together& together);

// schema gridlock.concurrent/1, see docs/reference/collective.md.
nlohmann::ordered_json together_json(const scenario::Scenario& machine, const Together& together);

}  // namespace gridlock::bench
