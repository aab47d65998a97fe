// Who simulates points: child processes of this machine (LocalPool), or ranks of an MPI job (mpi/).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/sweep/point.hpp"

namespace gridlock::sweep {

struct Task {
  Point place;                         // index and values
  std::vector<std::string> overrides;  // "PATH=VALUE"
  std::string scaled_cables;           // as in MeasureOptions
  double scale = 1;
};

// The line of a point in the result file. Runs in a process of its own, which may crash.
using Work = std::function<std::string(const Task&)>;

struct Outcome {
  Task task;
  std::string line;
};

class Workers {
 public:
  virtual ~Workers() = default;
  virtual std::size_t slots() const = 0;  // tasks that may run at once
  virtual std::size_t running() const = 0;
  virtual void start(Task task) = 0;  // REQUIRES running() < slots()
  // Tasks that ended; waits for one at most this long, and returns early on a signal.
  virtual std::vector<Outcome> wait(int milliseconds) = 0;
};

}  // namespace gridlock::sweep
