// What a measured profile says about itself: `standard_errors:`, `correlations:` and `provenance:`.
#pragma once

#include "sim/model/profile.hpp"
#include "sim/scenario/fields.hpp"

namespace gridlock::scenario {

void describe_provenance(Fields& f, model::Profile& profile);

}  // namespace gridlock::scenario
