// How many switches of each tier a tree fabric needs, and which cable goes where: radix arithmetic, no graph.
//
// A leaf of `leaf_radix` ports and oversubscription o serves at most D = floor(radix o / (1 + o)) NICs (always leaving a port to
// go up). With d of them used by design (the scalable unit's), U = ceil(d / o) cables go up. A tier of L leaves below switches
// with P ports down needs S = ceil(L U / P) switches; cable c of leaf q goes to switch (q U + c) mod S, which deals the
// cables out evenly. Every leaf must reach every switch above it, so S <= U.
//   2 tiers: P = spine_radix, one pod of all leaves.
//   3 tiers: P = floor(spine_radix o' / (1 + o')); pods of at most P leaves (whole scalable units where they fit). The j-th
//   spines
//            of all pods form a group, joined by cores of their own: C = ceil(pods U' / core_radix) a group, U' = cables up of a
//            spine; cable c of pod p goes to core (p U' + c) mod C of the group, so C <= U'.
// Planes are trees that share nothing: one per rail in a rail-only fabric, else one.
//
// Worked example: 512 nodes of 8 NICs, rail fat tree, scalable unit 32, radix 64 everywhere, o = o' = 1, 3 tiers:
// 16 units x 8 rails = 128 leaves, U = 32 cables up each; pods of 32 leaves: 4; S = 32 x 32 / 32 = 32 spines a pod, 128 in all;
// U' = 32; C = 4 x 32 / 64 = 2 cores a group, 64 in all.
#pragma once

#include "topology/specs.hpp"

namespace gridlock::topology {

// How the NICs hang on leaves, the one thing in which the tree fabrics differ.
struct LeafLayout {
  int leaves_per_unit = 1;  // 1: all NICs of a node on one leaf; nics: NIC r on leaf r of the unit
  int nics_per_leaf = 1;    // ports down that one node takes on a leaf
  int planes = 1;           // trees that share nothing; plane p holds leaf p of every unit when more than 1
};

LeafLayout fat_tree_layout(const NodeSpec& node);
LeafLayout rail_fat_tree_layout(const NodeSpec& node);
LeafLayout rail_only_layout(const NodeSpec& node);
inline bool is_tree(FabricKind kind) { return kind != FabricKind::none && kind != FabricKind::custom; }
// That of the cluster's fabric. REQUIRES is_tree(spec.fabric.kind).
LeafLayout leaf_layout(const ClusterSpec& spec);

struct TreePlan {
  LeafLayout layout;
  int units = 0, unit_nodes = 0;
  int pods = 0, pod_leaves = 0;  // per plane; the last pod may hold fewer leaves
  int leaf_up = 0;               // cables up of a leaf; 0 when a plane is a single leaf
  int spines = 0;                // per pod
  int spine_up = 0;              // cables up of a spine; 0 without cores
  int cores = 0;                 // per group

  int leaves() const { return units * layout.leaves_per_unit; }
  int plane_leaves() const { return leaves() / layout.planes; }
  int total_spines() const { return layout.planes * pods * spines; }
  int total_cores() const { return layout.planes * spines * cores; }

  int plane_of(int leaf) const { return layout.planes > 1 ? leaf % layout.planes : 0; }
  int position_of(int leaf) const { return layout.planes > 1 ? leaf / layout.planes : leaf; }  // within its plane
  int leaf_of(int node, int nic) const {
    return node / unit_nodes * layout.leaves_per_unit + (layout.leaves_per_unit > 1 ? nic : 0);
  }
  // Global numbers: spines pod by pod and plane by plane; cores group by group and plane by plane.
  int first_spine(int plane, int pod) const { return (plane * pods + pod) * spines; }
  int spine_of_cable(int leaf, int cable) const;
  int core_of_cable(int spine, int cable) const;
};

// Throws SpecError at the key at fault, with how many nodes fit and what would let all fit.
TreePlan plan_tree(const ClusterSpec& spec, const LeafLayout& layout);

}  // namespace gridlock::topology
