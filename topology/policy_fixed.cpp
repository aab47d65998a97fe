// Static routing as InfiniBand's subnet managers lay it on fat trees (destination-modulo, "D-mod-K"): the next hop depends on
// the destination alone. With d the destination's number, counted leaf by leaf, and n_1, n_2, ... the numbers of equal next hops
// met on the way,
//
//   choice 1 = d mod n_1,  choice 2 = floor(d / n_1) mod n_2,  choice 3 = floor(d / (n_1 n_2)) mod n_3 ...
//
// Dividing by what is decided already keeps the tiers independent: with the plain d mod n at each tier all traffic of a spine
// would leave by one of its cables. Zahavi, "D-Mod-K Routing Providing Non-Blocking Traffic for Shift Permutations on Real
// Life Fat Trees", CCIT report 776, 2010.
#include "topology/policy.hpp"

namespace gridlock::topology {
namespace {

class Fixed final : public RoutingPolicy {
 public:
  Fixed(const Fabric& fabric, const SwitchGraph& network) : fabric_(fabric), network_(network) {}

  void route(const NetworkFlow& flow, NetId anchor, Path& path) const override {
    std::uint32_t rest = network_.number_of_nic(flow.dst_nic);
    walk_single_path(fabric_, network_, network_.net_of_nic(flow.src_nic), anchor, path, [&](std::uint32_t equal, NetId) {
      const std::uint32_t choice = rest % equal;
      rest /= equal;
      return choice;
    });
  }

 private:
  const Fabric& fabric_;
  const SwitchGraph& network_;
};

}  // namespace

std::unique_ptr<RoutingPolicy> fixed_policy(const Fabric& fabric, const SwitchGraph& network) {
  return std::make_unique<Fixed>(fabric, network);
}

}  // namespace gridlock::topology
