// What bounds an operation: the link that is full, its latency, or the GPUs' copy rate.
//
// A call or message of duration T = latency + flow: bound by latency when that is more than half of T. Else by the link on which
// its flow meets the highest utilisation during its life (weighted capacity decides ties), unless the channels' own cap is lower
// than any link's share.
#pragma once

#include <string>

#include "sim/analysis/loads.hpp"

namespace gridlock::analysis {

enum class BoundKind : std::uint8_t { link, latency, compute, peer };

struct Bound {
  BoundKind kind = BoundKind::link;
  Index subject = none;  // link: link class; peer: rank class
  auto operator<=>(const Bound&) const = default;
};

class Bottlenecks {
 public:
  Bottlenecks(const History& history, const LinkLoads& loads) : h_(history), loads_(loads) {}

  // A call of a communicator class between the arrival of its last member and its end.
  Bound call(Index communicator, Index call, double joined, double finish) const;
  Bound message(Index message, double start, double finish) const;

 private:
  Bound flows(const std::vector<Index>& flows, double latency_s, const parallel::CallPlan* plan, double start,
              double finish) const;

  const History& h_;
  const LinkLoads& loads_;
};

}  // namespace gridlock::analysis
