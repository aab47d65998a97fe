// Ctrl-C and SIGTERM as a flag, so that a sweep can end with its results whole.
#pragma once

namespace gridlock::sweep {

// From now on SIGINT and SIGTERM only set the flag; waiting system calls return early.
void catch_interrupts();
bool interrupted();

}  // namespace gridlock::sweep
