#include "sim/whatif/fork_server.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <system_error>

namespace gridlock::whatif {
namespace {

// A message: a Failure, length, text.
struct Header {
  std::uint64_t failure = 0, bytes = 0;
};

bool write_all(int file, const void* data, std::size_t bytes) {
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(file, at, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    at += written;
    bytes -= static_cast<std::size_t>(written);
  }
  return true;
}

bool read_all(int file, void* data, std::size_t bytes) {
  char* at = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t got = ::read(file, at, bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

bool send(int file, Failure failure, const std::string& text) {
  const Header header{static_cast<std::uint64_t>(failure), text.size()};
  return write_all(file, &header, sizeof header) && write_all(file, text.data(), text.size());
}

bool receive(int file, Header& header, std::string& text) {
  if (!read_all(file, &header, sizeof header)) return false;
  text.resize(header.bytes);
  return read_all(file, text.data(), text.size());
}

// Writing to a server that died is an exception, not the end of this process.
class NoBrokenPipes {
 public:
  NoBrokenPipes() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
  ~NoBrokenPipes() { std::signal(SIGPIPE, before_); }
  NoBrokenPipes(const NoBrokenPipes&) = delete;
  NoBrokenPipes& operator=(const NoBrokenPipes&) = delete;

 private:
  void (*before_)(int);
};

// The caller's death, however sudden, ends what it has started.
void end_with(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // it died before it could be watched
}

[[noreturn]] void work_and_exit(const ForkServer::Work& work, const std::string& request, int answers) {
  Failure failure = Failure::none;
  std::string text;
  try {
    text = work(request);
  } catch (...) {
    const WorkerFailed described = describe_exception();
    failure = described.failure;
    text = described.what();
  }
  ::_exit(send(answers, failure, text) ? 0 : 1);
}

// Ends when the other end of `requests` is closed: when the caller is done, or dead.
[[noreturn]] void serve(const ForkServer::Work& work, int requests, int answers) {
  Header header;
  const pid_t self = ::getpid();
  for (std::string request; receive(requests, header, request);) {
    const pid_t worker = ::fork();
    if (worker == 0) {
      end_with(self);
      work_and_exit(work, request, answers);
    }
    int status = 0;
    while (worker > 0 && ::waitpid(worker, &status, 0) < 0 && errno == EINTR) {
    }
    const bool answered = worker > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (answered) continue;
    const WorkerFailed why =
        worker < 0 ? WorkerFailed(Failure::out_of_memory, "no process can be started") : describe_end(status);
    if (!send(answers, why.failure, why.what())) break;
  }
  ::_exit(0);
}

}  // namespace

ForkServer::ForkServer(Work work) {
  std::array<int, 2> requests{}, answers{};
  if (::pipe(requests.data()) != 0 || ::pipe(answers.data()) != 0)
    throw std::system_error(errno, std::generic_category(), "pipe");
  std::fflush(nullptr);  // what is buffered must not be printed twice
  const pid_t self = ::getpid();
  server_ = ::fork();
  if (server_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (server_ == 0) {
    end_with(self);
    ::close(requests[1]);
    ::close(answers[0]);
    serve(work, requests[0], answers[1]);
  }
  ::close(requests[0]);
  ::close(answers[1]);
  requests_ = requests[1];
  answers_ = answers[0];
}

ForkServer::~ForkServer() {
  ::close(requests_);
  ::close(answers_);
  while (::waitpid(server_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::string ForkServer::ask(const std::string& request) {
  Header header;
  std::string answer;
  const NoBrokenPipes guard;
  if (!send(requests_, Failure::none, request) || !receive(answers_, header, answer))
    throw WorkerFailed(Failure::killed, "the process that starts simulations was ended from outside");
  if (const auto failure = static_cast<Failure>(header.failure); failure != Failure::none) throw WorkerFailed(failure, answer);
  return answer;
}

}  // namespace gridlock::whatif
