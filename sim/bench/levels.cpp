#include "sim/bench/levels.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "collectives/node_groups.hpp"

namespace gridlock::bench {

using collectives::Kind;

std::string_view name(Level level) {
  switch (level) {
    case Level::whole:
      return "all ranks";
    case Level::inside:
      return "inside nodes";
    case Level::across:
      return "across nodes";
  }
  throw std::logic_error("level out of range");
}

std::vector<LevelCall> two_level_calls(Kind kind, double bytes, int members_of_node) {
  const double part = bytes / members_of_node;
  switch (kind) {
    case Kind::all_reduce:
      return {
          {Level::inside, Kind::reduce_scatter, bytes}, {Level::across, kind, part}, {Level::inside, Kind::all_gather, bytes}};
    case Kind::reduce_scatter:
      return {{Level::inside, kind, bytes}, {Level::across, kind, part}};
    case Kind::all_gather:
      return {{Level::across, kind, part}, {Level::inside, kind, bytes}};
    case Kind::all_to_all:
      return {{Level::across, kind, bytes}, {Level::inside, kind, bytes}};
    default:
      throw std::invalid_argument(fmt::format(
          "{} has no two-level form; known: all-reduce, reduce-scatter, all-gather, all-to-all", collectives::name(kind)));
  }
}

LevelGroups two_level_groups(const topology::Fabric& fabric, const std::vector<topology::GpuId>& members) {
  const collectives::NodeGroups groups = collectives::group_by_node(fabric, members);
  const std::size_t size = groups.node(0).size();
  if (groups.nodes() < 2 || size < 2)
    throw std::invalid_argument(
        fmt::format("two levels need at least two nodes with at least two ranks each, here are {} of {}", groups.nodes(), size));
  LevelGroups levels;
  levels.across.resize(size);
  for (std::size_t k = 0; k < groups.nodes(); ++k) {
    const auto node = groups.node(k);
    if (node.size() != size)
      throw std::invalid_argument(
          fmt::format("two levels need equally many ranks in every node, here are nodes of {} and of {}", size, node.size()));
    levels.inside.emplace_back(node.begin(), node.end());
    for (std::size_t j = 0; j < size; ++j) levels.across[j].push_back(node[j]);
  }
  return levels;
}

}  // namespace gridlock::bench
