#include "topology/tree_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "topology/error.hpp"

namespace gridlock::topology {
namespace {

// Ports and ratios are small; the slack keeps 51.999999 from losing a port to rounding.
constexpr double slack = 1e-9;

int ceil_div(std::int64_t a, std::int64_t b) { return static_cast<int>((a + b - 1) / b); }

// Most ports of a switch that may face down, at `oversubscription` ports down for each port up.
int ports_down(int radix, double oversubscription) {
  const double down = radix * (oversubscription / (1 + oversubscription));
  return std::min(radix - 1, static_cast<int>(std::floor(down + slack)));
}

int ports_up(int down, double oversubscription) {
  return std::max(1, static_cast<int>(std::ceil(down / oversubscription - slack)));
}

void check_range(const char* key, int value, int least) {
  if (value < least) {
    throw SpecError(fmt::format("cluster.fabric.{}", key),
                    fmt::format("{} is {}, the least that works is {}", key, value, least));
  }
}

void plan_units(const ClusterSpec& spec, TreePlan& plan) {
  const FabricSpec& fabric = spec.fabric;
  const int per_node = plan.layout.nics_per_leaf;
  const int down = ports_down(fabric.leaf_radix, fabric.leaf_oversubscription);
  const int fit = down / per_node;
  if (fit == 0) {
    throw SpecError(
        "cluster.fabric.leaf_radix",
        fmt::format("a leaf of {} ports has {} for NICs, a node needs {} on one leaf", fabric.leaf_radix, down, per_node),
        "give a larger leaf_radix, or kind: rail_fat_tree, which takes one port of a leaf per node");
  }
  if (fabric.scalable_unit > fit) {
    throw SpecError("cluster.fabric.scalable_unit",
                    fmt::format("a leaf of {} ports at oversubscription {:g} has {} for NICs: {} nodes fit, not {}",
                                fabric.leaf_radix, fabric.leaf_oversubscription, down, fit, fabric.scalable_unit),
                    fmt::format("write scalable_unit: {}, or a larger leaf_radix", fit));
  }
  plan.unit_nodes = fabric.scalable_unit > 0 ? fabric.scalable_unit : std::min(fit, spec.nodes);
  plan.units = ceil_div(spec.nodes, plan.unit_nodes);
  if (plan.plane_leaves() > 1) plan.leaf_up = ports_up(plan.unit_nodes * per_node, fabric.leaf_oversubscription);
}

// Nodes whose leaves a plane of at most `plane_leaves` leaves can join.
std::int64_t nodes_that_fit(const TreePlan& plan, std::int64_t plane_leaves) {
  return plane_leaves * plan.layout.planes / plan.layout.leaves_per_unit * plan.unit_nodes;
}

void plan_two_tiers(const ClusterSpec& spec, TreePlan& plan) {
  const int radix = spec.fabric.spine_radix;
  plan.pods = 1;
  plan.pod_leaves = plan.plane_leaves();
  if (plan.pod_leaves > radix) {
    throw SpecError("cluster.fabric.spine_radix",
                    fmt::format("{} leaves need a spine port each, a spine has {}: {} of {} nodes fit in two tiers",
                                plan.pod_leaves, radix, nodes_that_fit(plan, radix), spec.nodes),
                    fmt::format("use tiers: 3, or spine_radix: {} or larger", plan.pod_leaves));
  }
  plan.spines = ceil_div(std::int64_t{plan.pod_leaves} * plan.leaf_up, radix);
}

void plan_three_tiers(const ClusterSpec& spec, TreePlan& plan) {
  const FabricSpec& fabric = spec.fabric;
  const int core_radix = fabric.core_radix > 0 ? fabric.core_radix : fabric.spine_radix;
  const int down = ports_down(fabric.spine_radix, fabric.spine_oversubscription);
  const int unit_leaves = plan.layout.leaves_per_unit / plan.layout.planes;
  const int most = down >= unit_leaves ? down - down % unit_leaves : down;
  plan.pod_leaves = std::min(most, plan.plane_leaves());
  plan.pods = ceil_div(plan.plane_leaves(), plan.pod_leaves);
  plan.spines = ceil_div(std::int64_t{plan.pod_leaves} * plan.leaf_up, down);
  if (plan.pods == 1) return;
  if (plan.pods > core_radix) {
    throw SpecError(
        fabric.core_radix > 0 ? "cluster.fabric.core_radix" : "cluster.fabric.spine_radix",
        fmt::format("{} pods of {} leaves need a core port each, a core has {}: {} of {} nodes fit in three tiers", plan.pods,
                    plan.pod_leaves, core_radix, nodes_that_fit(plan, std::int64_t{plan.pod_leaves} * core_radix), spec.nodes),
        fmt::format("use a larger spine_radix, or core_radix: {} or larger", plan.pods));
  }
  const int used_down = ceil_div(std::int64_t{plan.pod_leaves} * plan.leaf_up, plan.spines);
  plan.spine_up = ports_up(used_down, fabric.spine_oversubscription);
  plan.cores = ceil_div(std::int64_t{plan.pods} * plan.spine_up, core_radix);
}

}  // namespace

LeafLayout leaf_layout(const ClusterSpec& spec) {
  if (spec.fabric.kind == FabricKind::fat_tree) return fat_tree_layout(spec.node);
  if (spec.fabric.kind == FabricKind::rail_only) return rail_only_layout(spec.node);
  return rail_fat_tree_layout(spec.node);
}

int TreePlan::spine_of_cable(int leaf, int cable) const {
  const int position = position_of(leaf);
  const int pod = position / pod_leaves;
  const std::int64_t dealt = std::int64_t{position % pod_leaves} * leaf_up + cable;
  return first_spine(plane_of(leaf), pod) + static_cast<int>(dealt % spines);
}

int TreePlan::core_of_cable(int spine, int cable) const {
  const int group = spine % spines, pod = spine / spines % pods, plane = spine / spines / pods;
  const std::int64_t dealt = std::int64_t{pod} * spine_up + cable;
  return (plane * spines + group) * cores + static_cast<int>(dealt % cores);
}

TreePlan plan_tree(const ClusterSpec& spec, const LeafLayout& layout) {
  const FabricSpec& fabric = spec.fabric;
  if (fabric.tiers != 2 && fabric.tiers != 3) {
    throw SpecError("cluster.fabric.tiers", fmt::format("a tree of {} tiers is not known", fabric.tiers),
                    "write tiers: 2 or tiers: 3");
  }
  check_range("leaf_radix", fabric.leaf_radix, 2);
  check_range("spine_radix", fabric.spine_radix, 2);
  TreePlan plan;
  plan.layout = layout;
  plan_units(spec, plan);
  if (plan.leaf_up == 0) {  // each plane is one leaf
    plan.pods = plan.pod_leaves = 1;
  } else if (fabric.tiers == 2) {
    plan_two_tiers(spec, plan);
  } else {
    plan_three_tiers(spec, plan);
  }
  return plan;
}

}  // namespace gridlock::topology
