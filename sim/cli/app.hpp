// The command line as a whole: parses, runs the chosen command, turns every failure into a message and an exit code.
#pragma once

namespace gridlock::cli {

int run_app(int argc, char** argv);

}  // namespace gridlock::cli
