// What the process exits with; documented in docs/reference/command_line.md.
#pragma once

namespace gridlock::cli {

enum ExitCode : int {
  done = 0,
  expectation_failed = 1,  // an `expect:` or --max-error
  usage = 2,               // or refused without --yes
  invalid_scenario = 3,    // also: does not fit in memory
  file_error = 4,          // file, device or tool missing, unreadable or unwritable
  no_resource = 4,         // the machine's memory is not enough, or a simulating process was killed from outside
  deadlock = 5,
  internal_error = 70,
  interrupted = 130,
};

}  // namespace gridlock::cli
