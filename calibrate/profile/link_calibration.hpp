// Links and collectives of a profile, from the points that there are.
#pragma once

#include "calibrate/profile/calibration.hpp"

namespace gridlock::calibrate {

// Adds to `out` what the points of host copies, peer copies and collectives say, and a sentence in `kept` for what they do not.
//
//   links.nvlink_efficiency   peer copies (nodes with NVSwitch)       links.pcie_efficiency   pinned host copies
//   nccl.*                    collectives (calibrate/fit/collective_fit.hpp)
//   collective_sms            SMs a kernel on S of them loses to an all-reduce that makes it r times slower: S (1 - 1/r),
//                             with the matrix product of the overlap benchmark as the kernel
//
// A copy engine does not reach what kernels reach on every path: of copies and collectives the faster says what the link gives.
// Throws std::invalid_argument, topology::SpecError.
void add_links(Calibration& out, const std::vector<Point>& points, const topology::ClusterSpec& cluster,
               const model::Profile& preset);

}  // namespace gridlock::calibrate
