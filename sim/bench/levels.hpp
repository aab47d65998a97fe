// Two-level collectives as frameworks compose them: calls inside the nodes and across them, one after the other.
//
// The ranks form N node groups of m members and m rail groups, the j-th members of all nodes. S = bytes of the whole call:
//
//   all-reduce       reduce-scatter S inside, all-reduce S / m across, all-gather S inside
//   reduce-scatter   reduce-scatter S inside, reduce-scatter S / m across
//   all-gather       all-gather S / m across, all-gather S inside
//   all-to-all       all-to-all S across (over rails), all-to-all S inside (over NVLink): two hops, but m times fewer and larger
//                    messages between nodes
//
// A rank starts its next call when its own group has ended the one before; phases do not pipeline.
//
// Worked example: all-reduce of 8 GB over 2 nodes of 8, NVLink 400 GB/s, NICs 50 GB/s, no latency: 7/8 * 8 / 400 = 17.5 ms
// inside, 2 * 1/2 * 1 / 50 = 20 ms across, 17.5 ms inside: 55 ms, where the flat ring needs 2 * 15/16 * 8 / 400 = 37.5 ms.
#pragma once

#include <string_view>
#include <vector>

#include "collectives/collective.hpp"
#include "topology/fabric.hpp"

namespace gridlock::bench {

enum class Level : std::uint8_t { whole, inside, across };

std::string_view name(Level level);

struct LevelCall {
  Level level;
  collectives::Kind kind;
  double bytes;  // on each communicator of the level, as nccl-tests counts
};

// The calls of a collective of `bytes`, in order. Throws std::invalid_argument for kinds that are not composed this way.
std::vector<LevelCall> two_level_calls(collectives::Kind kind, double bytes, int members_of_node);

struct LevelGroups {
  std::vector<std::vector<topology::GpuId>> inside, across;
};

// Throws std::invalid_argument unless there are at least two nodes, with equally many members, at least two.
LevelGroups two_level_groups(const topology::Fabric& fabric, const std::vector<topology::GpuId>& members);

}  // namespace gridlock::bench
