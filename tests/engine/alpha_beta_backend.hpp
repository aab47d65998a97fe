// A backend by hand, to check the executor without SimGrid: computes and delays take their time, a flow of b bytes takes
// b / min(cap, capacity / weight of its links) as if it were alone. An event queue and nothing more.
#pragma once

#include <algorithm>
#include <queue>

#include "sim/engine/backend.hpp"

namespace gridlock::engine::test {

class AlphaBetaBackend : public Backend {
 public:
  explicit AlphaBetaBackend(const Problem& problem) : problem_(problem) {}
  double now() const override { return now_; }
  void start_compute(Token token, Index, double seconds) override { add(token, seconds); }
  void start_delay(Token token, double seconds) override { add(token, seconds); }
  void start_flow(Token token, Index flow_class, double bytes, double rate_cap) override {
    const FlowClass& flow = problem_.flows[flow_class];
    double rate = rate_cap;
    for (std::uint32_t i = flow.first_link; i < flow.first_link + flow.link_count; ++i)
      rate = std::min(rate, problem_.links[problem_.flow_links[i].link].bytes_per_s / problem_.flow_links[i].weight);
    add(token, bytes / rate);
  }
  void run(std::function<void(Token)> done) override {
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      now_ = event.time;
      done(event.token);
    }
  }

 private:
  struct Event {
    double time;
    std::uint64_t number;  // first started, first ended
    Token token;
    bool operator<(const Event& other) const { return time != other.time ? time > other.time : number > other.number; }
  };
  void add(Token token, double seconds) { events_.push({now_ + seconds, number_++, token}); }

  const Problem& problem_;
  double now_ = 0;
  std::uint64_t number_ = 0;
  std::priority_queue<Event> events_;
};

}  // namespace gridlock::engine::test
