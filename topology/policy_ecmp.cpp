// Equal-cost multi-path: every switch hashes the flow's fields, salted with its own number, and takes next hop (hash mod n).
// Flows that hash alike share a cable while others idle: collisions are part of the model. The seed stands for the port
// numbers and salts that differ from one run of a real job to the next.
#include "topology/policy.hpp"

namespace gridlock::topology {
namespace {

// splitmix64's finaliser: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

std::uint64_t pair(std::uint32_t high, std::uint32_t low) { return std::uint64_t{high} << 32 | low; }

class Ecmp final : public RoutingPolicy {
 public:
  Ecmp(const Fabric& fabric, const SwitchGraph& network, std::uint64_t seed)
      : fabric_(fabric), network_(network), seed_(mix(seed)) {}

  void route(const NetworkFlow& flow, NetId anchor, Path& path) const override {
    const std::uint64_t ends = mix(seed_ ^ pair(flow.src_nic, flow.dst_nic));
    const std::uint64_t hash = mix(ends ^ pair(flow.key.channel, flow.key.queue_pair));
    walk_single_path(fabric_, network_, network_.net_of_nic(flow.src_nic), anchor, path,
                     [&](std::uint32_t equal, NetId at) { return static_cast<std::uint32_t>(mix(hash ^ at) % equal); });
  }

 private:
  const Fabric& fabric_;
  const SwitchGraph& network_;
  std::uint64_t seed_;
};

}  // namespace

std::unique_ptr<RoutingPolicy> ecmp_policy(const Fabric& fabric, const SwitchGraph& network, std::uint64_t seed) {
  return std::make_unique<Ecmp>(fabric, network, seed);
}

}  // namespace gridlock::topology
