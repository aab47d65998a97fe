// The numbers of a profile by the names they have in its file ("gemm.ceiling", "links.nic_efficiency"), from the declarations
// that the loader reads by.
#pragma once

#include <string>
#include <vector>

#include "sim/model/profile.hpp"
#include "sim/scenario/fields.hpp"

namespace gridlock::scenario {

struct ProfileParameter {
  std::string name;
  double* value;  // in the profile that was given
  Unit unit;
  Range range;
};

// Every quantity (not counts and choices), in the order of the file.
std::vector<ProfileParameter> profile_parameters(model::Profile& profile);

}  // namespace gridlock::scenario
