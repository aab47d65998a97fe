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

}  // namespace gridlock::collectives
