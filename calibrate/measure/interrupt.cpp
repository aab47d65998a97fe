#include "calibrate/measure/interrupt.hpp"

namespace gridlock::calibrate {
namespace {

volatile std::sig_atomic_t seen = 0;
void note(int) { seen = 1; }

}  // namespace

InterruptGuard::InterruptGuard() {
  seen = 0;
  sigset_t held;
  sigemptyset(&held);
  sigaddset(&held, SIGINT);
  sigaddset(&held, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &held, &outside_);
  struct sigaction action {};
  action.sa_handler = note;
  ::sigaction(SIGINT, &action, &old_interrupt_);
  ::sigaction(SIGTERM, &action, &old_terminate_);
  sigdelset(&outside_, SIGINT);  // a shell that started us with them held would make us deaf to Ctrl-C
  sigdelset(&outside_, SIGTERM);
}

InterruptGuard::~InterruptGuard() {
  // Held signals arrive here, at our handler: seen by interrupted() before, or of no use any more.
  ::pthread_sigmask(SIG_SETMASK, &outside_, nullptr);
  ::sigaction(SIGINT, &old_interrupt_, nullptr);
  ::sigaction(SIGTERM, &old_terminate_, nullptr);
}

bool InterruptGuard::interrupted() const {
  if (seen != 0) return true;
  sigset_t pending;  // a wait that finds data at once delivers no signal
  return ::sigpending(&pending) == 0 && (sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1);
}

}  // namespace gridlock::calibrate
