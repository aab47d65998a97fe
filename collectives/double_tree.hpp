// The double binary tree over nodes: two trees that each carry half the data, such that (almost) no node is inside both.
//
// Tree 0 is in order: node r > 0 with lowest set bit b hangs below r - b + 2b, or below r - b when that node does not exist;
// node 0 is the root. So odd nodes are leaves. Tree 1 is its mirror image (even number of nodes) or the tree shifted by one
// (odd). Source: Sanders, Speck, Traeff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan" (2009); NCCL
// 2.4 release blog.
//
// Worked example, 4 nodes: tree 0: 1 -> 2, 3 -> 2, 2 -> 0. Tree 1: 2 -> 1, 0 -> 1, 1 -> 3. Node 2 has 3 edges in tree 0 and
// 1 in tree 1, node 0 has 1 and 1.
#pragma once

#include <cstddef>
#include <vector>

#include "collectives/node_groups.hpp"
#include "collectives/pattern.hpp"

namespace gridlock::collectives {

// The parent of `node` in tree 0 or 1 over `nodes` nodes; the node itself for the root. REQUIRES node < nodes.
std::size_t tree_parent(std::size_t node, std::size_t nodes, int tree);

// What the edges of one tree cross, both ways, by one rail: from the GPU beside the rail's NIC of a node to that of its parent.
void append_tree_edges(const NodeGroups& groups, const Rails& rails, int rail, int tree, const topology::Router& router,
                       topology::FlowKey key, std::vector<WeightedLink>& crossings);

}  // namespace gridlock::collectives
