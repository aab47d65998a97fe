// The network alone, laid out for routing: switches 0 .. S-1, then NICs S .. S+N-1, with their links to one another.
// NICs begin and end routes and forward nothing.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "topology/fabric.hpp"

namespace gridlock::topology {

using NetId = std::uint32_t;  // a switch or a NIC of the network

struct Hop {
  LinkId link;
  NetId to;
};
using Hops = boost::container::small_vector<Hop, 64>;

class SwitchGraph {
 public:
  explicit SwitchGraph(const Fabric& fabric);

  NetId net_of_nic(std::uint32_t nic) const { return switches_ + nic; }

  // Where the routes to a NIC meet: the switch of its only cable (then `last` is that cable), else the NIC itself.
  struct Anchor {
    NetId at;
    std::span<const Hop> last;  // none or one
  };
  Anchor anchor_of(std::uint32_t nic) const;

  // Hops still to go from v to an anchor; `unreachable` when there is no way. The first call for an anchor searches all
  // switches breadth-first, backwards, and keeps the distances.
  std::uint32_t distance(NetId v, NetId anchor) const;
  static constexpr std::uint32_t unreachable = 0xffff;

  // All hops from v that come nearer to the anchor by one. REQUIRES v != anchor, distance(v, anchor) != unreachable.
  void next_hops(NetId v, NetId anchor, Hops& hops) const;

  // Place of a NIC when the NICs are counted switch by switch, so that neighbours on a leaf have consecutive numbers.
  std::uint32_t number_of_nic(std::uint32_t nic) const { return nic_numbers_[nic]; }

 private:
  using Distances = std::vector<std::uint16_t>;  // by switch
  const Distances& distances(NetId anchor) const;
  std::uint32_t nic_distance(NetId nic, NetId anchor) const;
  std::span<const Hop> out(NetId v) const { return {out_.data() + out_first_[v], out_first_[v + 1] - out_first_[v]}; }
  std::span<const Hop> in(NetId v) const { return {in_.data() + in_first_[v], in_first_[v + 1] - in_first_[v]}; }
  void number_nics();

  NetId switches_ = 0, nics_ = 0;
  VertexId first_switch_ = 0;
  std::vector<VertexId> nic_vertices_;
  std::vector<std::uint32_t> out_first_, in_first_;
  std::vector<Hop> out_, in_;               // of each vertex switches first, then NICs, in link order
  std::vector<std::uint32_t> to_switches_;  // by switch: how many of its out hops end at switches
  std::vector<std::uint32_t> nic_numbers_;
  mutable std::vector<std::unique_ptr<const Distances>> distances_;  // by anchor, found when first asked for
};

}  // namespace gridlock::topology
