// All-reduces between processes of this host over shared memory, by MPI: where mpirun is found, and gridlock-measure-mpi beside
// this program.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "calibrate/point.hpp"

namespace gridlock::calibrate {

class MpiBenchmark {
 public:
  explicit MpiBenchmark(int ranks);

  // Why it cannot be measured; empty when it can.
  const std::string& missing() const { return missing_; }

  // `planned`: an all_reduce and its bytes, one of sizes(). The first call measures every size. Throws DeviceError.
  Point measure(const Point& planned);

  static const std::vector<double>& sizes();

 private:
  void run();
  int ranks_;
  std::string program_, missing_;
  std::map<double, std::vector<double>> seconds_;  // by bytes
};

// The lines that gridlock-measure-mpi prints, "BYTES SECONDS SECONDS ...". Throws DeviceError on any other.
std::map<double, std::vector<double>> read_mpi_times(const std::string& text);

}  // namespace gridlock::calibrate
