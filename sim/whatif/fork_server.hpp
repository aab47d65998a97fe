// Runs a function again and again, each time in a process of its own: SimGrid allows one simulation a process, and a process that
// has simulated cannot fork a child that simulates.
//
// So the server is forked off before the caller simulates; for every request it forks a worker, which inherits what the function
// captured, answers and ends. Requests are answered one at a time, in order.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

#include "sim/whatif/worker_failed.hpp"

namespace gridlock::whatif {

class ForkServer {
 public:
  using Work = std::function<std::string(const std::string& request)>;

  // Forks. Make it before the first simulation of this process. Throws std::system_error.
  explicit ForkServer(Work work);
  ~ForkServer();
  ForkServer(const ForkServer&) = delete;
  ForkServer& operator=(const ForkServer&) = delete;

  // The function's result. Throws WorkerFailed: the worker threw, or died.
  std::string ask(const std::string& request);

 private:
  pid_t server_ = -1;
  int requests_ = -1, answers_ = -1;
};

}  // namespace gridlock::whatif
