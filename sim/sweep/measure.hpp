// Simulates one point: from the scenario's text and the changes to it to what the sweep keeps. One call a process (SimGrid).
#pragma once

#include <string>
#include <vector>

#include "sim/report/run_report.hpp"
#include "sim/scenario/source.hpp"
#include "sim/sweep/point.hpp"

namespace gridlock::sweep {

struct MeasureOptions {
  bool ignore_memory = false, yes = false;
  std::string scaled_cables;  // "NIC - leaf" (cables.hpp): these have `scale` times their bandwidth; empty: none
  double scale = 1;
};

// `place` has index and values; the rest is filled. Throws what `gridlock run` would, and std::logic_error when the parts of
// the step do not add up to it.
Point measure(const scenario::SourcePtr& scenario, const std::vector<std::string>& overrides, const MeasureOptions& options,
              Point place);

// What a sweep keeps of one run.
void fill_point(const report::RunReport& report, Point& point);

// measure() as a line of the result file; whatever goes wrong becomes the point's error.
std::string measure_line(const scenario::SourcePtr& scenario, const std::vector<std::string>& overrides,
                         const MeasureOptions& options, const Point& place) noexcept;

}  // namespace gridlock::sweep
