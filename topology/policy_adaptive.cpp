// Per-packet spraying: at every switch a flow splits evenly over all equal-cost next hops.
//
//   share(link u->v) = share(u) / number of next hops of u        share(v) = sum over links into v
//
// The shares that leave the source add up to 1 at every distance. Latency is that of the longest of the ways: the message is
// whole when its last packet is.
#include <algorithm>
#include <utility>
#include <vector>

#include "topology/policy.hpp"

namespace gridlock::topology {
namespace {

struct Front {
  NetId at;
  double share, latency_s;
};
using Level = std::vector<Front>;

void merge(Level& level, const Front& front) {
  const auto same = std::find_if(level.begin(), level.end(), [&](const Front& f) { return f.at == front.at; });
  if (same == level.end()) {
    level.push_back(front);
  } else {
    same->share += front.share;
    same->latency_s = std::max(same->latency_s, front.latency_s);
  }
}

class Adaptive final : public RoutingPolicy {
 public:
  Adaptive(const Fabric& fabric, const SwitchGraph& network) : fabric_(fabric), network_(network) {}

  // All vertices of a level are equally far from the anchor, so they reach it together.
  void route(const NetworkFlow& flow, NetId anchor, Path& path) const override {
    Level level{{network_.net_of_nic(flow.src_nic), 1.0, 0.0}}, next;
    Hops hops;
    while (level.front().at != anchor) {
      next.clear();
      for (const Front& front : level) {
        network_.next_hops(front.at, anchor, hops);
        const double share = front.share / static_cast<double>(hops.size());
        for (const Hop& hop : hops) {
          path.links.push_back({hop.link, share});
          merge(next, {hop.to, share, front.latency_s + fabric_.link(hop.link).latency_s});
        }
      }
      std::swap(level, next);
    }
    path.latency_s += level.front().latency_s;
  }

 private:
  const Fabric& fabric_;
  const SwitchGraph& network_;
};

}  // namespace

std::unique_ptr<RoutingPolicy> adaptive_policy(const Fabric& fabric, const SwitchGraph& network) {
  return std::make_unique<Adaptive>(fabric, network);
}

}  // namespace gridlock::topology
