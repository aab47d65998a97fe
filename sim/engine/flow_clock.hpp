// When flows end that share links max-min fairly: their rates from MaxMin, their progress in between.
//
//   left(t) = left(t0) - rate (t - t0);   finish = t0 + left(t0) / rate
//
// A flow's `left` is brought up to date when its rate changes, and only then.
#pragma once

#include <boost/heap/d_ary_heap.hpp>
#include <vector>

#include "sim/engine/backend.hpp"
#include "sim/engine/max_min.hpp"

namespace gridlock::engine {

class FlowClock {
 public:
  explicit FlowClock(const Problem& problem) : rates_(problem), flows_(problem.flows.size()) {}

  void start(Token token, Index flow, double bytes, double cap, double now);
  bool idle() const { return finishes_.empty(); }
  double next_finish() const { return finishes_.top().time; }
  // The flow that finishes next is gone; at one time the lower flow class goes first. Time is next_finish() of before.
  Token finish_next();

 private:
  struct Finish {
    double time = 0;
    Index flow = 0;
    bool operator<(const Finish& other) const { return time != other.time ? time > other.time : flow > other.flow; }
  };
  using Heap = boost::heap::d_ary_heap<Finish, boost::heap::arity<4>, boost::heap::mutable_<true>>;
  struct Running {
    Token token = 0;
    double left = 0, since = 0, rate = 0;
    Heap::handle_type finish;
  };
  void update(const std::vector<Index>& changed, double now);

  MaxMin rates_;
  std::vector<Running> flows_;  // by flow class
  Heap finishes_;
};

}  // namespace gridlock::engine
