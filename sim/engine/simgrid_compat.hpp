// All that differs between SimGrid 3.32 (Debian 12) and 4.x.
#pragma once

#include <simgrid/version.h>

#include <simgrid/s4u.hpp>

namespace gridlock::engine::compat {

inline void start(simgrid::s4u::Activity& activity) {
#if SIMGRID_VERSION >= 33400
  activity.start();
#else
  activity.vetoable_start();
#endif
}

// Calls `done` at the end of every Exec and Comm.
inline void on_completion(const std::function<void(const simgrid::s4u::Activity&)>& done) {
#if SIMGRID_VERSION >= 33400
  simgrid::s4u::Exec::on_completion_cb([done](const simgrid::s4u::Exec& exec) { done(exec); });
  simgrid::s4u::Comm::on_completion_cb([done](const simgrid::s4u::Comm& comm) { done(comm); });
#else
  simgrid::s4u::Activity::on_completion_cb([done](const simgrid::s4u::Activity& activity) { done(activity); });
#endif
}

}  // namespace gridlock::engine::compat
