#include "topology/switch_graph.hpp"

#include <algorithm>

namespace gridlock::topology {

SwitchGraph::SwitchGraph(const Fabric& fabric) : nic_vertices_(fabric.nic_vertices) {
  first_switch_ = fabric.vertices_per_node * static_cast<VertexId>(fabric.spec.nodes);
  switches_ = static_cast<NetId>(num_vertices(fabric.graph)) - first_switch_;
  nics_ = static_cast<NetId>(nic_vertices_.size());
  // The n-th NIC of a node lies at the same place in every node.
  std::vector<std::int32_t> local_nic(fabric.vertices_per_node, -1);
  const auto nics_per_node = static_cast<NetId>(fabric.spec.node.nics);
  for (NetId i = 0; i < nics_per_node; ++i) local_nic[nic_vertices_[i]] = static_cast<std::int32_t>(i);
  auto net_of = [&](VertexId v) {
    if (v >= first_switch_) return v - first_switch_;
    return switches_ + v / fabric.vertices_per_node * nics_per_node + static_cast<NetId>(local_nic[v % fabric.vertices_per_node]);
  };

  // Counting sort of the network's links by tail and by head; links come in order, so each vertex keeps them in order.
  const LinkId first_link = fabric.links_per_node * static_cast<LinkId>(fabric.spec.nodes);
  const LinkId end_link = static_cast<LinkId>(fabric.link_count());
  const auto is_up = [&](LinkId id) { return fabric.link(id).bytes_per_s > 0; };  // no route takes a cable that is down
  std::size_t up = 0;
  out_first_.assign(switches_ + nics_ + 1, 0);
  in_first_.assign(switches_ + nics_ + 1, 0);
  for (LinkId id = first_link; id < end_link; ++id) {
    if (!is_up(id)) continue;
    ++up;
    ++out_first_[net_of(fabric.source(id)) + 1];
    ++in_first_[net_of(fabric.target(id)) + 1];
  }
  for (NetId v = 0; v < switches_ + nics_; ++v) {
    out_first_[v + 1] += out_first_[v];
    in_first_[v + 1] += in_first_[v];
  }
  out_.resize(up);
  in_.resize(up);
  std::vector<std::uint32_t> out_next(out_first_), in_next(in_first_);
  for (LinkId id = first_link; id < end_link; ++id) {
    if (!is_up(id)) continue;
    const NetId tail = net_of(fabric.source(id)), head = net_of(fabric.target(id));
    out_[out_next[tail]++] = {id, head};
    in_[in_next[head]++] = {id, tail};
  }
  auto is_switch = [&](const Hop& hop) { return hop.to < switches_; };
  for (NetId v = 0; v < switches_; ++v) {
    const auto begin = out_.begin() + out_first_[v], end = out_.begin() + out_first_[v + 1];
    to_switches_.push_back(static_cast<std::uint32_t>(std::stable_partition(begin, end, is_switch) - begin));
  }
  distances_.resize(switches_ + nics_);
  number_nics();
}

void SwitchGraph::number_nics() {
  constexpr std::uint32_t unset = ~0u;
  nic_numbers_.assign(nics_, unset);
  std::uint32_t next = 0;
  for (NetId v = 0; v < switches_; ++v) {
    for (const Hop& hop : out(v).subspan(to_switches_[v])) {
      if (nic_numbers_[hop.to - switches_] == unset) nic_numbers_[hop.to - switches_] = next++;
    }
  }
  for (std::uint32_t& number : nic_numbers_) {  // reached from no switch
    if (number == unset) number = next++;
  }
}

SwitchGraph::Anchor SwitchGraph::anchor_of(std::uint32_t nic) const {
  const NetId self = net_of_nic(nic);
  const std::span<const Hop> cables = in(self);
  if (cables.size() != 1 || cables[0].to >= switches_) return {self, {}};
  // A Hop into the NIC is stored with the switch it comes from, which is the anchor; the link is the same.
  return {cables[0].to, cables};
}

const SwitchGraph::Distances& SwitchGraph::distances(NetId anchor) const {
  if (distances_[anchor]) return *distances_[anchor];
  auto found = std::make_unique<Distances>(switches_, static_cast<std::uint16_t>(unreachable));
  std::vector<NetId> order{anchor};
  if (anchor < switches_) (*found)[anchor] = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const NetId v = order[i];
    const auto next = static_cast<std::uint16_t>(v < switches_ ? (*found)[v] + 1 : 1);
    for (const Hop& hop : in(v)) {
      if (hop.to >= switches_ || (*found)[hop.to] != unreachable) continue;
      (*found)[hop.to] = next;
      order.push_back(hop.to);
    }
  }
  distances_[anchor] = std::move(found);
  return *distances_[anchor];
}

std::uint32_t SwitchGraph::nic_distance(NetId nic, NetId anchor) const {
  if (nic == anchor) return 0;
  const Distances& to_go = distances(anchor);
  std::uint32_t least = unreachable;
  for (const Hop& hop : out(nic)) {
    const std::uint32_t rest = hop.to == anchor ? 0 : hop.to < switches_ ? to_go[hop.to] : unreachable;
    least = std::min(least, rest == unreachable ? unreachable : rest + 1);
  }
  return least;
}

std::uint32_t SwitchGraph::distance(NetId v, NetId anchor) const {
  return v < switches_ ? distances(anchor)[v] : nic_distance(v, anchor);
}

void SwitchGraph::next_hops(NetId v, NetId anchor, Hops& hops) const {
  hops.clear();
  const Distances& to_go = distances(anchor);
  const std::uint32_t wanted = distance(v, anchor) - 1;
  // Only an anchor that is a NIC can be the end of a hop to a NIC: else leave out a leaf's many NICs.
  const bool switches_only = v < switches_ && anchor < switches_;
  for (const Hop& hop : switches_only ? out(v).first(to_switches_[v]) : out(v)) {
    const std::uint32_t rest = hop.to == anchor ? 0 : hop.to < switches_ ? to_go[hop.to] : unreachable;
    if (rest == wanted) hops.push_back(hop);
  }
}

}  // namespace gridlock::topology
