#include "sim/uncertainty/propagate.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "sim/uncertainty/sample.hpp"

namespace gridlock::uncertainty {
namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

// One simulation in a process of its own; its result is a double in a pipe, which holds it until it is read.
struct Child {
  pid_t pid = -1;
  int pipe = -1;
};

[[noreturn]] void simulate_and_exit(const scenario::Scenario& scenario, const engine::SimulationOptions& options, int pipe) {
  int status = 1;
  try {
    const double seconds = engine::simulate(scenario, options)->timeline.step_seconds();
    if (::write(pipe, &seconds, sizeof seconds) == sizeof seconds) status = 0;
  } catch (const std::exception&) {
    // The parent sees the status; its own simulation reports what is wrong with the scenario.
  }
  ::_exit(status);
}

Child start(const scenario::Scenario& scenario, const engine::SimulationOptions& options) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) fail("pipe");
  const pid_t pid = ::fork();
  if (pid < 0) fail("fork");
  if (pid == 0) simulate_and_exit(scenario, options, ends[1]);
  ::close(ends[1]);
  return {pid, ends[0]};
}

double finish(const Child& child) {
  double seconds = 0;
  const bool read = ::read(child.pipe, &seconds, sizeof seconds) == sizeof seconds;
  ::close(child.pipe);
  int status = 0;
  while (::waitpid(child.pid, &status, 0) < 0)
    if (errno != EINTR) fail("waitpid");
  if (!read || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw std::runtime_error("a simulation with drawn parameters failed");
  return seconds;
}

}  // namespace

double step_time_error(const scenario::Scenario& scenario, int samples, const engine::SimulationOptions& options) {
  const ProfileSampler sampler(scenario.profile);
  const int at_once = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
  std::vector<Child> running;
  std::vector<double> seconds;
  for (int sample = 0; sample < samples || !running.empty();) {
    if (sample < samples && static_cast<int>(running.size()) < at_once) {
      scenario::Scenario drawn = scenario;
      drawn.profile = sampler.draw(scenario.seed, sample++);
      running.push_back(start(drawn, options));
    } else {
      seconds.push_back(finish(running.front()));
      running.erase(running.begin());
    }
  }
  return standard_deviation(seconds);
}

}  // namespace gridlock::uncertainty
