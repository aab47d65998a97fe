// Times of matrix products by a profile, with what its errors make of them.
#pragma once

#include "sim/report/matmul.hpp"

namespace gridlock::uncertainty {

// `samples`: profiles drawn for the errors.
std::vector<report::ProductTime> product_times(const scenario::Matmul& scenario, int samples);

}  // namespace gridlock::uncertainty
