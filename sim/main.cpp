#include <cstdio>
#include <cstdlib>

#include "sim/cli/app.hpp"

// Ends without running destructors: the results are out, and SimGrid's tear-down takes longer than a simulation (and crashes
// when activities are left, as after a deadlock).
int main(int argc, char** argv) {
  const int exit_code = gridlock::cli::run_app(argc, argv);
  std::fflush(nullptr);
  std::_Exit(exit_code);
}
