#include "calibrate/measure/device_process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <system_error>
#include <thread>

namespace gridlock::calibrate {
namespace {

using Clock = std::chrono::steady_clock;

// Never returns. Ctrl-C reaches the whole process group: the parent decides what it means.
[[noreturn]] void be_child(const Child& child, int socket, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // the parent died in between
  ::signal(SIGINT, SIG_IGN);
  ::signal(SIGTERM, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);  // what a library prints must not look like data
  try {
    ::_exit(child(socket));
  } catch (const std::exception& error) {
    fmt::print(stderr, "the measuring process: {}\n", error.what());
    ::_exit(70);
  }
}

std::string how_it_ended(int status) {
  if (WIFEXITED(status)) return fmt::format("exit status {}", WEXITSTATUS(status));
  return fmt::format("killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
}

}  // namespace

DeviceProcess::DeviceProcess(const Child& child) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw std::system_error(errno, std::generic_category(), "socketpair");
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) {
    const int error = errno;
    ::close(ends[0]);
    ::close(ends[1]);
    throw std::system_error(error, std::generic_category(), "fork");
  }
  if (pid_ == 0) {
    ::close(ends[0]);
    be_child(child, ends[1], parent);
  }
  ::close(ends[1]);
  socket_ = ends[0];
}

DeviceProcess::~DeviceProcess() { end(); }

DeviceProcess::Answer DeviceProcess::read_line(std::string& line, double timeout_s, const InterruptGuard& interrupt) {
  const Clock::time_point deadline = Clock::now() + std::chrono::milliseconds(std::llround(std::max(timeout_s, 0.0) * 1000));
  for (;;) {
    if (const std::size_t end_of_line = buffer_.find('\n'); end_of_line != std::string::npos) {
      line = buffer_.substr(0, end_of_line);
      buffer_.erase(0, end_of_line + 1);
      return Answer::line;
    }
    if (interrupt.interrupted()) return Answer::interrupted;
    const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(deadline - Clock::now()).count();
    if (left <= 0) return Answer::timed_out;
    const timespec wait{static_cast<time_t>(left / 1'000'000'000), static_cast<long>(left % 1'000'000'000)};
    pollfd file{socket_, POLLIN, 0};
    if (::ppoll(&file, 1, &wait, &interrupt.waiting()) <= 0) continue;  // a signal or the deadline: the tests above say which
    std::array<char, 65536> bytes{};
    const ssize_t got = ::read(socket_, bytes.data(), bytes.size());
    if (got > 0) buffer_.append(bytes.data(), static_cast<std::size_t>(got));
    if (got == 0 || (got < 0 && errno != EINTR)) return Answer::ended;
  }
}

bool DeviceProcess::send_line(const std::string& line) {
  const std::string text = line + "\n";
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t n = ::send(socket_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    sent += static_cast<std::size_t>(n);
  }
  return true;
}

std::string DeviceProcess::end(double grace_s) {
  if (pid_ < 0) return "ended before";
  ::close(socket_);
  const pid_t pid = pid_;
  pid_ = -1;
  const Clock::time_point start = Clock::now();
  const auto elapsed_s = [start] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  constexpr double reaping_s = 10;  // a killed process whose GPU work the driver stops first
  bool killed = false;
  for (int status = 0; elapsed_s() < grace_s + reaping_s;) {
    if (::waitpid(pid, &status, WNOHANG) == pid) return how_it_ended(status);
    if (!killed && elapsed_s() > grace_s) killed = ::kill(pid, SIGKILL) == 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return fmt::format("process {} cannot be ended: it is stuck in the kernel", pid);
}

}  // namespace gridlock::calibrate
