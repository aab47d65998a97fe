// Runs a function in a child process and brings its numbers back: SimGrid allows one engine a process, and a test that compares
// two simulations needs two.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace gridlock::engine::test {

namespace child {

inline void write_all(int file, const void* data, std::size_t bytes) {
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(file, at, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) ::_exit(3);
    at += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

inline std::string read_all(int file) {
  std::string all;
  char buffer[65536];
  for (;;) {
    const ssize_t got = ::read(file, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return all;
    all.append(buffer, static_cast<std::size_t>(got));
  }
}

}  // namespace child

// `action` returns a std::vector<double>. Throws std::runtime_error with the child's own words when it throws or dies.
template <class Action>
std::vector<double> run_in_child(Action action) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  const pid_t pid = ::fork();
  if (pid < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (pid == 0) {
    ::close(ends[0]);
    try {
      const std::vector<double> numbers = action();
      child::write_all(ends[1], numbers.data(), numbers.size() * sizeof(double));
      ::_exit(0);
    } catch (const std::exception& error) {
      const std::string text = error.what();
      child::write_all(ends[1], text.data(), text.size());
      ::_exit(1);
    }
  }
  ::close(ends[1]);
  const std::string all = child::read_all(ends[0]);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 1) throw std::runtime_error(all);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw std::runtime_error("the child process died (wait status " + std::to_string(status) + ")");
  std::vector<double> numbers(all.size() / sizeof(double));
  all.copy(reinterpret_cast<char*>(numbers.data()), numbers.size() * sizeof(double));
  return numbers;
}

}  // namespace gridlock::engine::test
