// Flows that share links max-min fairly: the network model of the engine, for a handful of flows on an otherwise idle fabric.
//
//   for each link l:  sum over flows f ( weight_fl * rate_f ) <= capacity_l,   rate_f <= cap_f
//   no rate can grow without lowering one that is smaller or equal
//
// The rates hold until a flow ends; then the others share anew.
//
// Worked example: two senders of 1 GB each into one NIC of 50 GB/s: 25 GB/s each, both end after 40 ms. With a third flow of
// 0.5 GB: 16.7 GB/s each; it ends after 30 ms, then the two have 0.5 GB left at 25 GB/s and end after 50 ms.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "collectives/pattern.hpp"

namespace gridlock::collectives {

struct Flow {
  std::span<const WeightedLink> links;  // each link once; may be empty when `cap` is finite
  double bytes = 0;
  double cap_bytes_per_s = std::numeric_limits<double>::infinity();
};

// Seconds after the common start at which each flow ends. O(rounds * links of all flows); a round is one bottleneck or one end.
std::vector<double> finish_times_s(const topology::Fabric& fabric, std::span<const Flow> flows);

}  // namespace gridlock::collectives
