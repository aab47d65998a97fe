#include "sim/engine/flow_clock.hpp"

#include <algorithm>
#include <limits>

namespace gridlock::engine {

void FlowClock::start(Token token, Index flow, double bytes, double cap, double now) {
  Running& running = flows_[flow];
  running = {.token = token, .left = bytes, .since = now, .rate = 0, .finish = {}};
  running.finish = finishes_.push({std::numeric_limits<double>::infinity(), flow});
  update(rates_.add(flow, cap), now);
}

Token FlowClock::finish_next() {
  const Finish finish = finishes_.top();
  finishes_.pop();
  update(rates_.remove(finish.flow), finish.time);
  return flows_[finish.flow].token;
}

void FlowClock::update(const std::vector<Index>& changed, double now) {
  for (Index flow : changed) {
    Running& running = flows_[flow];
    running.left = std::max(0.0, running.left - running.rate * (now - running.since));
    running.since = now;
    running.rate = rates_.rate(flow);
    finishes_.update(running.finish, {now + running.left / running.rate, flow});
  }
}

}  // namespace gridlock::engine
