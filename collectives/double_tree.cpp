#include "collectives/double_tree.hpp"

namespace gridlock::collectives {
namespace {

std::size_t parent_in_order(std::size_t node, std::size_t nodes) {
  if (node == 0) return 0;
  const std::size_t bit = node & (~node + 1);
  const std::size_t before = node - bit, up = before | (bit << 1);
  return up < nodes ? up : before;
}

}  // namespace

std::size_t tree_parent(std::size_t node, std::size_t nodes, int tree) {
  if (tree == 0) return parent_in_order(node, nodes);
  if (nodes % 2 == 0) return nodes - 1 - parent_in_order(nodes - 1 - node, nodes);
  return (parent_in_order((node + nodes - 1) % nodes, nodes) + 1) % nodes;
}

void append_tree_edges(const NodeGroups& groups, const Rails& rails, int rail, int tree, const topology::Router& router,
                       topology::FlowKey key, std::vector<WeightedLink>& crossings) {
  const auto head = [&](std::size_t node) { return groups.node(node)[groups.beside(node, rails.nic(node, rail), router)]; };
  for (std::size_t k = 0; k < groups.nodes(); ++k) {
    const std::size_t up = tree_parent(k, groups.nodes(), tree);
    if (up == k) continue;
    const topology::GpuId child = head(k), parent = head(up);
    append_crossings(router.path_via(child, rails.nic(k, rail), parent, rails.nic(up, rail), key), crossings);
    append_crossings(router.path_via(parent, rails.nic(up, rail), child, rails.nic(k, rail), key), crossings);
  }
}

}  // namespace gridlock::collectives
