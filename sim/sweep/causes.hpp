// What bounds a step: the seconds of its breakdown sorted by cause, links taken together by the devices that they join.
#pragma once

#include <vector>

#include "sim/report/run_report.hpp"
#include "sim/sweep/point.hpp"

namespace gridlock::sweep {

// Mean seconds a GPU of each state by what bounds it, longest first; they add up to the step.
std::vector<Cause> causes_of(const report::RunReport& report);

// Use of the links by sort, the one with the highest peak first.
std::vector<LinkUse> link_use(const report::RunReport& report);

// How each collective of the step runs: that of its slowest group.
std::vector<AlgorithmUse> algorithms_of(const report::RunReport& report);

// Fills bottleneck and the sums of waits from causes and links.
void name_bottleneck(Point& point);

// "data-parallel comm., bound by NIC to leaf"; of a kernel "compute-bound kernels".
std::string describe(const Cause& cause);

// The largest cause: what to call the regime of a point.
std::string regime(const Point& point);

// The cause that grew most from one point to another; nullptr when none grew.
struct Growth {
  Cause cause;         // of `to`
  double seconds = 0;  // more than in `from`
};
Growth largest_growth(const Point& from, const Point& to);

}  // namespace gridlock::sweep
