// `--degrade`: one thing made slower, as a change of the scenario's `faults`.
#pragma once

#include <string>

namespace gridlock::sweep {

// "faults.links+={...}" for one more fault of a link. `factor` 0 takes it down.
std::string link_fault_override(const std::string& pattern, double factor);

// "link:leaf3:*=0.5", "link:leaf0->spine1=down", "gpu:77=0.8" as an override. Throws SpecificationError.
std::string degrade_override(const std::string& text);

}  // namespace gridlock::sweep
