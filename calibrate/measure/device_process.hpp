// A device in a process of its own: a call that hangs, crashes or spoils the CUDA context takes that process with it, not the
// program, and not what was measured before.
//
// Protocol, a JSON object a line over one socket: the child begins with its description or with {"missing": "..."}; then it
// answers each planned point with the measured one, in order, until the socket closes.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

#include "calibrate/measure/device.hpp"
#include "calibrate/measure/interrupt.hpp"

namespace gridlock::calibrate {

// What the child process does with its end of the socket; its result is the exit status. It may replace the process (exec).
using Child = std::function<int(int socket)>;

class DeviceProcess {
 public:
  // Forks. Call it while the program has one thread: only that one lives on in the child. Throws std::system_error.
  explicit DeviceProcess(const Child& child);
  ~DeviceProcess();  // ends the child
  DeviceProcess(const DeviceProcess&) = delete;
  DeviceProcess& operator=(const DeviceProcess&) = delete;

  enum class Answer { line, ended, timed_out, interrupted };

  // The child's next line, without the newline.
  Answer read_line(std::string& line, double timeout_s, const InterruptGuard& interrupt);

  // False when the child has ended.
  bool send_line(const std::string& line);

  // Closes the socket, at which the child ends by itself, and kills it if it still runs after `grace_s`. "exit status 3", "killed
  // by signal 11 (Segmentation fault)". A child that the kernel cannot end (stuck in a driver) is left behind, and the text says
  // so.
  std::string end(double grace_s = 0.2);

 private:
  pid_t pid_ = -1;
  int socket_ = -1;
  std::string buffer_;  // bytes after the last whole line
};

}  // namespace gridlock::calibrate
