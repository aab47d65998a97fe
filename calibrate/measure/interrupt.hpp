// Ctrl-C (SIGINT) and SIGTERM while something is measured: noted, so that what is running can be ended and the file closed.
#pragma once

#include <csignal>

namespace gridlock::calibrate {

// From construction to destruction both signals are held back except inside a wait with `waiting()`, so that none is lost
// between the test of interrupted() and the wait. One at a time in a process.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  bool interrupted() const;
  const sigset_t& waiting() const { return outside_; }  // the signal mask to wait with (ppoll)

 private:
  sigset_t outside_{};
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
};

}  // namespace gridlock::calibrate
