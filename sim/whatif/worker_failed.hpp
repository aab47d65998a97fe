// What became of a simulation in a process of its own that gave no result.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace gridlock::whatif {

enum class Failure : std::uint8_t {
  none,
  invalid_scenario,  // what it simulates cannot be built
  deadlock,
  out_of_memory,
  killed,    // from outside: by a person, a batch system, or the kernel when memory runs out
  internal,  // anything else is a mistake in gridlock
};

struct WorkerFailed : std::runtime_error {
  WorkerFailed(Failure why, const std::string& what) : std::runtime_error(what), failure(why) {}
  Failure failure;
};

// Of the exception that is being handled: call it in a handler.
WorkerFailed describe_exception();

// Of a process that ended without an answer, by its status as waitpid gives it.
WorkerFailed describe_end(int status);

}  // namespace gridlock::whatif
