#include "sim/validate/child.hpp"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace gridlock::validate {
namespace {

[[noreturn]] void system_failure(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

struct Pipe {
  std::array<int, 2> ends{};
  Pipe() {
    if (::pipe(ends.data()) != 0) system_failure("pipe");
  }
};

// Appends what there is to read; false at the end.
bool drain(int file, std::string& text) {
  std::array<char, 65536> buffer;
  const ssize_t got = ::read(file, buffer.data(), buffer.size());
  if (got < 0 && errno == EINTR) return true;
  if (got <= 0) return false;
  text.append(buffer.data(), static_cast<std::size_t>(got));
  return true;
}

// Both at once, for a child that fills one pipe while nobody reads it would wait for ever.
void read_both(int out, int err, ChildResult& result) {
  std::array<pollfd, 2> files{{{out, POLLIN, 0}, {err, POLLIN, 0}}};
  for (int open = 2; open > 0;) {
    if (::poll(files.data(), files.size(), -1) < 0) {
      if (errno != EINTR) system_failure("poll");
      continue;
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (files[i].fd < 0 || files[i].revents == 0) continue;
      if (drain(files[i].fd, i == 0 ? result.out : result.err)) continue;
      files[i].fd = -1;
      --open;
    }
  }
}

[[noreturn]] void become(const std::vector<std::string>& arguments, int out, int err) {
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  std::string name = "gridlock";
  std::vector<char*> argv{name.data()};
  std::vector<std::string> copies = arguments;
  for (std::string& argument : copies) argv.push_back(argument.data());
  argv.push_back(nullptr);
  ::execv("/proc/self/exe", argv.data());
  ::_exit(127);
}

}  // namespace

ChildResult run_self(const std::vector<std::string>& arguments) {
  const Pipe out, err;
  const pid_t pid = ::fork();
  if (pid < 0) system_failure("fork");
  if (pid == 0) become(arguments, out.ends[1], err.ends[1]);
  ::close(out.ends[1]);
  ::close(err.ends[1]);
  ChildResult result;
  read_both(out.ends[0], err.ends[0], result);
  ::close(out.ends[0]);
  ::close(err.ends[0]);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) system_failure("waitpid");
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace gridlock::validate
