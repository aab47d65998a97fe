#include "sim/engine/incremental_backend.hpp"

namespace gridlock::engine {

using simgrid::kernel::timer::Timer;

void IncrementalBackend::start_flow(Token token, Index flow, double bytes, double rate_cap) {
  flows_.start(token, flow, bytes, rate_cap, now());
  if (!finishing_) wake_at_next_finish();
}

void IncrementalBackend::wake_at_next_finish() {
  const bool wanted = !flows_.idle();
  if (wake_ && wanted && wake_time_ == flows_.next_finish()) return;
  if (wake_) wake_->remove();
  wake_ = nullptr;
  if (!wanted) return;
  wake_time_ = flows_.next_finish();
  wake_ = Timer::set(wake_time_, [this] { finish_flows(); });
}

void IncrementalBackend::finish_flows() {
  wake_ = nullptr;  // SimGrid frees a timer that has rung
  finishing_ = true;
  while (!flows_.idle() && flows_.next_finish() <= now()) done(flows_.finish_next());
  finishing_ = false;
  wake_at_next_finish();
}

}  // namespace gridlock::engine
