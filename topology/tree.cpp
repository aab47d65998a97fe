// Builds the switches and cables that a TreePlan counts: collapsed into trunks for adaptive routing, else cable by cable.
#include <cstdint>
#include <vector>

#include "topology/builder.hpp"

namespace gridlock::topology {
namespace {

using Ids = std::vector<VertexId>;

std::int32_t rail_of_plane(const TreePlan& plan, int plane) { return plan.layout.planes > 1 ? plane : -1; }

Ids add_leaves(Builder& builder, const TreePlan& plan) {
  Ids leaves;
  for (int i = 0; i < plan.leaves(); ++i) {
    const int rail = builder.fabric.has_rails() ? i % plan.layout.leaves_per_unit : -1;
    leaves.push_back(builder.add_vertex({VertexKind::leaf, -1, i, rail, 1}));
  }
  const ClusterSpec& spec = builder.fabric.spec;
  for (int node = 0; node < spec.nodes; ++node) {
    for (int nic = 0; nic < spec.node.nics; ++nic) {
      builder.join(builder.nic(node, nic), leaves[plan.leaf_of(node, nic)], LinkKind::nic, builder.nic_wire());
    }
  }
  return leaves;
}

void add_trunks(Builder& builder, const TreePlan& plan, const Ids& leaves) {
  Ids spines;  // plane * pods + pod
  for (int plane = 0; plane < plan.layout.planes; ++plane) {
    for (int pod = 0; pod < plan.pods; ++pod) {
      const auto members = static_cast<std::uint32_t>(plan.spines);
      spines.push_back(builder.add_vertex({VertexKind::spine, -1, pod, rail_of_plane(plan, plane), members}));
    }
  }
  for (int i = 0; i < plan.leaves(); ++i) {
    const int above = plan.plane_of(i) * plan.pods + plan.position_of(i) / plan.pod_leaves;
    builder.join(leaves[i], spines[above], LinkKind::uplink, builder.nic_wire(), static_cast<std::uint32_t>(plan.leaf_up));
  }
  if (plan.cores == 0) return;
  for (int plane = 0; plane < plan.layout.planes; ++plane) {
    const auto members = static_cast<std::uint32_t>(plan.spines * plan.cores);
    const VertexId core = builder.add_vertex({VertexKind::core, -1, 0, rail_of_plane(plan, plane), members});
    const auto cables = static_cast<std::uint32_t>(plan.spines * plan.spine_up);
    for (int pod = 0; pod < plan.pods; ++pod) {
      builder.join(spines[plane * plan.pods + pod], core, LinkKind::core, builder.nic_wire(), cables);
    }
  }
}

// One cable after the other from `lower` to the switch `upper_of(cable)`. Cable c goes where cable c - period went, so the
// lane (the cable's number among those of the same two switches) is c / period.
template <class UpperOf>
void join_each(Builder& builder, VertexId lower, const Ids& uppers, int cables, int period, LinkKind kind, UpperOf upper_of) {
  for (int cable = 0; cable < cables; ++cable) {
    const bool alone = cable < period && cable + period >= cables;
    builder.join(lower, uppers[upper_of(cable)], kind, builder.nic_wire(), 1, alone ? -1 : cable / period);
  }
}

void add_cables(Builder& builder, const TreePlan& plan, const Ids& leaves) {
  Ids spines, cores;
  for (int i = 0; i < plan.total_spines(); ++i) {
    const int plane = i / (plan.pods * plan.spines);
    spines.push_back(builder.add_vertex({VertexKind::spine, -1, i, rail_of_plane(plan, plane), 1}));
  }
  for (int i = 0; i < plan.total_cores(); ++i) {
    const int plane = i / (plan.spines * plan.cores);
    cores.push_back(builder.add_vertex({VertexKind::core, -1, i, rail_of_plane(plan, plane), 1}));
  }
  for (int i = 0; i < plan.leaves(); ++i) {
    join_each(builder, leaves[i], spines, plan.leaf_up, plan.spines, LinkKind::uplink,
              [&](int c) { return plan.spine_of_cable(i, c); });
  }
  for (int i = 0; i < plan.total_spines(); ++i) {
    join_each(builder, spines[i], cores, plan.spine_up, plan.cores, LinkKind::core,
              [&](int c) { return plan.core_of_cable(i, c); });
  }
}

}  // namespace

void add_tree(Builder& builder, const TreePlan& plan) {
  const Ids leaves = add_leaves(builder, plan);
  if (plan.leaf_up == 0) return;
  if (builder.fabric.collapsed()) {
    add_trunks(builder, plan, leaves);
  } else {
    add_cables(builder, plan, leaves);
  }
}

}  // namespace gridlock::topology
