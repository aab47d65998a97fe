#include "calibrate/fit/summaries.hpp"

#include <algorithm>
#include <cassert>
#include <tuple>

namespace gridlock::calibrate {

double summary_s(const Point& point, Statistic statistic) {
  assert(!point.seconds.empty());
  std::vector<double> seconds = point.seconds;
  std::sort(seconds.begin(), seconds.end());
  if (statistic == Statistic::fastest) return seconds.front();
  const std::size_t half = seconds.size() / 2;
  return seconds.size() % 2 == 1 ? seconds[half] : (seconds[half - 1] + seconds[half]) / 2;
}

std::vector<Point> merged(const std::vector<Point>& points) {
  std::vector<Point> out;
  std::map<std::tuple<std::string, std::map<std::string, std::string>, std::map<std::string, double>>, std::size_t> places;
  for (const Point& point : points) {
    if (!point.error.empty() || point.seconds.empty()) continue;
    const auto [place, fresh] = places.try_emplace({point.benchmark, point.labels, point.numbers}, out.size());
    if (fresh) {
      out.push_back(point);
    } else {
      std::vector<double>& seconds = out[place->second].seconds;
      seconds.insert(seconds.end(), point.seconds.begin(), point.seconds.end());
    }
  }
  return out;
}

std::vector<Point> select(const std::vector<Point>& points, const std::string& benchmark,
                          const std::map<std::string, std::string>& labels) {
  std::vector<Point> out;
  for (const Point& point : points) {
    const bool alike = std::all_of(labels.begin(), labels.end(), [&](const auto& label) {
      const auto found = point.labels.find(label.first);
      return found != point.labels.end() && found->second == label.second;
    });
    if (point.benchmark == benchmark && alike) out.push_back(point);
  }
  return out;
}

}  // namespace gridlock::calibrate
