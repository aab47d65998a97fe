// What nccl-tests does, simulated: communicators on an otherwise idle cluster run a collective at several sizes, one call after
// the other.
//
// The calls become a step graph (call_graph.hpp) and go through folding and the engine like any training step; the time of a call
// is from the arrival of its last member to its end. Calls whose pairs are independent (all-to-all, send/recv, gather, scatter)
// are a communicator with one edge a pair (collectives/p2p.hpp).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/exchange.hpp"
#include "collectives/nccl_table.hpp"
#include "collectives/tuning.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridlock::bench {

struct Request {
  collectives::Kind kind = collectives::Kind::all_reduce;
  std::vector<std::uint64_t> sizes;    // bytes as asked for; what is run is nccl-tests' rounding of it (call_size)
  std::vector<std::uint32_t> members;  // ranks of the cluster, at least 2, all different; empty = one rank on every GPU
  collectives::Override forced;
  int channels = 0;  // of rings: 1 = one flat ring; 0 = as NCCL lays them
  int gpus_per_process = 1;
  std::optional<collectives::Exchange> exchange;  // of an uneven all-to-all
  bool two_level = false;                         // as frameworks compose it: inside the nodes and across them (levels.hpp)
};

// One part of a two-level collective.
struct Phase {
  std::string_view where;  // "inside nodes", "across nodes"
  collectives::Kind kind;
  double bytes = 0;                             // of the call on each communicator, as nccl-tests counts
  std::vector<collectives::Choice> candidates;  // of the largest communicator; best first
  double time_s = 0;
};

struct Row {
  collectives::CallSize size;
  std::vector<collectives::Choice> candidates;  // best first: the first one ran; empty for two-level collectives
  std::vector<Phase> phases;                    // two-level collectives only
  double time_s = 0;
};

struct EngineFigures {
  std::size_t edge_classes = 0, link_classes = 0;
  std::uint64_t activities = 0;
};

struct Outcome {
  collectives::CommunicatorShape shape;
  std::vector<Row> rows;  // by size
  EngineFigures engine;
};

// By simulation. One a process (SimGrid). Throws std::invalid_argument when the algorithm forced is impossible (it lists what is
// possible) or when there is no such rank, topology::SpecError when the cluster cannot be built.
Outcome simulate(const scenario::Scenario& machine, const Request& request, bool folded);

// The closed form of the same on an idle fabric: patterns and flows by collectives/fluid.hpp, without the engine.
Outcome closed_form(const scenario::Scenario& machine, const Request& request);

}  // namespace gridlock::bench
