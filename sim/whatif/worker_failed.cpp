#include "sim/whatif/worker_failed.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <csignal>
#include <cstring>
#include <new>

#include "sim/engine/executor.hpp"
#include "sim/scenario/diagnostic.hpp"
#include "topology/error.hpp"

namespace gridlock::whatif {
namespace {

// Those that a process draws upon itself.
bool is_crash(int signal) {
  return signal == SIGSEGV || signal == SIGABRT || signal == SIGBUS || signal == SIGFPE || signal == SIGILL;
}

}  // namespace

WorkerFailed describe_exception() {
  try {
    throw;
  } catch (const scenario::InvalidScenario& error) {
    return {Failure::invalid_scenario, scenario::one_line(error.diagnostics.front())};
  } catch (const topology::SpecError& error) {
    return {Failure::invalid_scenario, fmt::format("{}: {}", error.path, error.what())};
  } catch (const engine::Deadlock& error) {
    return {Failure::deadlock, fmt::format("the simulated step deadlocks: {}", error.what())};
  } catch (const std::bad_alloc&) {
    return {Failure::out_of_memory, "not enough memory"};
  } catch (const std::exception& error) {
    return {Failure::internal, error.what()};
  }
}

WorkerFailed describe_end(int status) {
  if (!WIFSIGNALED(status))
    return {Failure::internal, fmt::format("the simulating process ended with exit code {} and no answer", WEXITSTATUS(status))};
  const int signal = WTERMSIG(status);
  const std::string what = fmt::format("the simulating process was ended by signal {} ({})", signal, ::strsignal(signal));
  if (is_crash(signal)) return {Failure::internal, what};
  return {Failure::killed, what + (signal == SIGKILL ? ", as the kernel does when memory runs out" : "")};
}

}  // namespace gridlock::whatif
