// This program once more, in a process of its own: SimGrid allows one simulation a process.
#pragma once

#include <string>
#include <vector>

namespace gridlock::validate {

struct ChildResult {
  int exit_code = 0;  // 128 + signal when it was killed
  std::string out, err;
};

// Runs this executable with `arguments` and waits. Throws std::system_error when no process can be started.
ChildResult run_self(const std::vector<std::string>& arguments);

}  // namespace gridlock::validate
