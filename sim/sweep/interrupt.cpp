#include "sim/sweep/interrupt.hpp"

#include <csignal>

namespace gridlock::sweep {
namespace {

volatile std::sig_atomic_t flag = 0;

void raise_flag(int) { flag = 1; }

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = raise_flag;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return flag != 0; }

}  // namespace gridlock::sweep
