// From repeats to one time a point.
#pragma once

#include <vector>

#include "calibrate/point.hpp"

namespace gridlock::calibrate {

enum class Statistic : std::uint8_t {
  median,   // devices that nobody else uses
  fastest,  // hosts that others use, too: what they add is never negative, so the least is the nearest to the truth
};

// REQUIRES times.
double summary_s(const Point& point, Statistic statistic);

// Points of the same benchmark, labels and numbers become one with all their times; those with an error are left out. In the
// order of their first appearance.
std::vector<Point> merged(const std::vector<Point>& points);

// Those of one benchmark whose labels are as given (labels that are not given may be anything).
std::vector<Point> select(const std::vector<Point>& points, const std::string& benchmark,
                          const std::map<std::string, std::string>& labels = {});

}  // namespace gridlock::calibrate
