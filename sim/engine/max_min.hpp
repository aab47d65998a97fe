// Max-min fair rates of flows that come and go, mended where they change.
//
// Rates x_i are max-min fair when no link is overfull, sum_i w_il x_i <= C_l, and every flow is held back somewhere: by its own
// cap, x_i = cap_i, or by a full link l on which nobody is faster, sum_k w_kl x_k = C_l and x_i >= x_k for all k on l (Bertsekas
// and Gallager, Data Networks, 6.5.2: such rates are unique). So after a change it is enough to mend the proofs that broke:
//   1. Free the new flow, or those that a leaving flow's links held back. The others stay as they are.
//   2. Fill the free flows' links evenly over the free flows, tightest link first.
//   3. A fixed flow whose link is no longer full, or that is slower than another there, or faster than a free flow that its link
//      holds back, is freed, too; again from 2. When there is none, every flow has its proof.
// The result is the same as filling everything from the start; the work is that of the flows whose rates change.
//
// Worked example: link A of 10 carries flows 1 and 2, B of 10 carries 2 and 3: 5 each. Flow 1 leaves: 2 was held by A and is
// freed; A would give 10, but B has 10 - 5 left for it: it stays at 5, held by B. Nobody else was looked at.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/engine/problem.hpp"

namespace gridlock::engine {

class MaxMin {
 public:
  explicit MaxMin(const Problem& problem);

  // Flow class `flow`, which is not there and crosses at least one link, comes with at most `cap` bytes per second; or goes.
  // Each returns the flows whose rates have changed, in ascending order.
  const std::vector<Index>& add(Index flow, double cap);
  const std::vector<Index>& remove(Index flow);

  double rate(Index flow) const { return flows_[flow].rate; }  // bytes per second per unit of weight

 private:
  struct Crossing {
    Index flow = 0;
    std::uint32_t hop = 0;  // entry of Problem::flow_links
    double weight = 0;
  };
  struct Flow {
    double rate = 0, before = 0, cap = 0;
    Index held_by = none;  // link; none: its cap
    bool free = false, unfilled = false;
  };
  struct Link {
    std::vector<Crossing> crossings;
    double left = 0, weight = 0;  // capacity and weights of unfilled flows, while filling
    std::uint32_t unfilled = 0;
    bool touched = false;
  };
  const std::vector<Index>& mend();
  void set_free(Index flow);
  void fill();
  bool free_the_unproven();
  void settle(Index flow, double rate, Index held_by);

  const Problem& problem_;
  std::vector<Link> links_;
  std::vector<Flow> flows_;
  std::vector<std::uint32_t> place_;  // by hop: its index in Link::crossings
  std::vector<Index> free_, touched_, filling_, changed_;
};

}  // namespace gridlock::engine
