// The file of points of a run in progress: each point is on the disk before the next one is measured.
#pragma once

#include "calibrate/point.hpp"

namespace gridlock::calibrate {

class PointLog {
 public:
  // Makes the file. Throws PointError when it cannot, or when the file exists: minutes of measuring are not overwritten.
  PointLog(const std::string& path, const Provenance& provenance);
  ~PointLog();
  PointLog(const PointLog&) = delete;
  PointLog& operator=(const PointLog&) = delete;

  // Throws PointError (disk full).
  void append(const Point& point);

 private:
  void write(std::string line);
  std::string path_;
  int file_ = -1;
};

}  // namespace gridlock::calibrate
