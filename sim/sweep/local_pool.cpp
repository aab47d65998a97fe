#include "sim/sweep/local_pool.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <system_error>

namespace gridlock::sweep {
namespace {

constexpr int attempts = 2;

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

// The last words of a process that crashed: an assertion's, for instance.
std::string last_line(int file) {
  std::array<char, 4096> buffer;
  const off_t size = ::lseek(file, 0, SEEK_END), from = std::max<off_t>(0, size - static_cast<off_t>(buffer.size()));
  const ssize_t got = ::pread(file, buffer.data(), buffer.size(), from);
  std::string text(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

std::string why(int status, const std::string& words) {
  const std::string what = WIFSIGNALED(status)
                               ? fmt::format("killed by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)))
                               : fmt::format("ended with exit code {}", WEXITSTATUS(status));
  return fmt::format("the process of this point was {}, {} times{}{}", what, attempts, words.empty() ? "" : ": ", words);
}

void write_all(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(file, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) ::_exit(1);
    done += static_cast<std::size_t>(written);
  }
}

// Ends without destructors: SimGrid's tear-down takes longer than a simulation, and the parent's objects are not ours.
[[noreturn]] void be_child(const Work& work, const Task& task, int out, int err, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // it died before it could be watched
  ::signal(SIGINT, SIG_IGN);              // Ctrl-C is the parent's business
  ::signal(SIGTERM, SIG_DFL);
  ::dup2(err, STDERR_FILENO);
  if (const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC); null >= 0) ::dup2(null, STDOUT_FILENO);
  write_all(out, work(task));
  ::_exit(0);
}

}  // namespace

struct LocalPool::Child {
  Task task;
  int attempt = 1;
  pid_t pid = -1;
  int out = -1, err = -1;
  std::string text;

  ~Child() {
    if (pid > 0) {
      ::kill(pid, SIGKILL);
      while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
    if (out >= 0) ::close(out);
    if (err >= 0) ::close(err);
  }
};

LocalPool::LocalPool(std::size_t jobs, Work work) : jobs_(jobs), work_(std::move(work)) {}
LocalPool::~LocalPool() = default;

void LocalPool::start(Task task) { launch(std::move(task), 1); }

void LocalPool::launch(Task task, int attempt) {
  auto child = std::make_unique<Child>();
  child->task = std::move(task);
  child->attempt = attempt;
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
  child->out = ends[0];
  child->err = ::memfd_create("stderr", MFD_CLOEXEC);
  const pid_t parent = ::getpid();
  const pid_t pid = child->err < 0 ? -1 : ::fork();
  if (pid == 0) be_child(work_, child->task, ends[1], child->err, parent);
  ::close(ends[1]);
  if (pid < 0) fail("fork");
  child->pid = pid;
  children_.push_back(std::move(child));
}

// Appends what there is to read; false at the end.
bool LocalPool::drain(Child& child) {
  std::array<char, 65536> buffer;
  const ssize_t got = ::read(child.out, buffer.data(), buffer.size());
  if (got < 0 && errno == EINTR) return true;
  if (got <= 0) return false;
  child.text.append(buffer.data(), static_cast<std::size_t>(got));
  return true;
}

// Nothing when the task runs once more.
std::optional<Outcome> LocalPool::reap(Child& child) {
  int status = 0;
  while (::waitpid(child.pid, &status, 0) < 0) {
    if (errno != EINTR) fail("waitpid");
  }
  child.pid = -1;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return Outcome{std::move(child.task), std::move(child.text)};
  if (child.attempt < attempts) {
    launch(std::move(child.task), child.attempt + 1);
    return std::nullopt;
  }
  Point failed = child.task.place;
  failed.error = why(status, last_line(child.err));
  return Outcome{std::move(child.task), point_json(failed).dump()};
}

std::vector<Outcome> LocalPool::wait(int milliseconds) {
  std::vector<pollfd> files;
  for (const auto& child : children_) files.push_back({child->out, POLLIN, 0});
  if (::poll(files.data(), files.size(), milliseconds) < 0) {
    if (errno != EINTR) fail("poll");
    return {};
  }
  std::vector<std::unique_ptr<Child>> ended;
  for (std::size_t i = files.size(); i-- > 0;) {
    if (files[i].revents == 0 || drain(*children_[i])) continue;
    ended.push_back(std::move(children_[i]));
    children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  std::vector<Outcome> outcomes;
  for (const auto& child : ended)
    if (auto outcome = reap(*child)) outcomes.push_back(std::move(*outcome));
  return outcomes;
}

}  // namespace gridlock::sweep
