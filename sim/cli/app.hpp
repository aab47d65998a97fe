// The command line as a whole: parses, runs the chosen command, turns every failure into a message and an exit code.
#pragma once

#include <functional>

namespace gridlock::cli {

int run_app(int argc, char** argv);

// Runs one command; every failure becomes a message on stderr and an exit code.
int guarded(const std::function<int()>& run);

}  // namespace gridlock::cli
