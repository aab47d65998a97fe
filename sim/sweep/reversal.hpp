// Points where more bandwidth makes the step slower. Max-min sharing allows it: a flow that gets more of one link can take it
// from a more critical flow on the next, and NCCL's choice of algorithm changes with the bandwidth. Such points are shown and
// explained, never smoothed away.
#pragma once

#include <vector>

#include "sim/sweep/result_file.hpp"

namespace gridlock::sweep {

inline constexpr double least_reversal = 1e-9;  // of the step: less is rounding
inline constexpr std::size_t most_reversals = 100;

// Neighbours along axes that mean bandwidth (a unit of bytes or bits a second; oversubscription, the other way round), at most
// `most_reversals`, in order.
std::vector<Reversal> find_reversals(const ResultFile& file);

}  // namespace gridlock::sweep
