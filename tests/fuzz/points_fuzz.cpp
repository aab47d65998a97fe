// Any bytes: either a file of points, every line of which is written and read back the same, or one PointError.
#include <sstream>

#include "calibrate/point.hpp"

using namespace gridlock::calibrate;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  PointFile file;
  try {
    file = read_points(in, "fuzz");
  } catch (const PointError&) {
    return 0;
  }
  std::string text = header_line(file.provenance) + "\n";
  for (const Point& point : file.points) text += point_line(point) + "\n";
  std::istringstream again(text);
  const PointFile same = read_points(again, "again");
  if (same.points.size() != file.points.size() || same.provenance != file.provenance) __builtin_trap();
  for (std::size_t i = 0; i < file.points.size(); ++i)
    if (point_line(same.points[i]) != point_line(file.points[i])) __builtin_trap();
  return 0;
}
