// Classes of ranks, communicators, edges and links that do the same at the same time.
#pragma once

#include <vector>

#include "sim/parallel/step_graph.hpp"
#include "sim/parallel/traffic.hpp"
#include "topology/fabric.hpp"

namespace gridlock::fold {

using parallel::Index;
using parallel::none;

// One kind of object: the class of each, numbered in order of first appearance, and each class's first member.
struct Classes {
  std::vector<Index> of;
  std::vector<Index> representative;
  std::size_t count() const { return representative.size(); }
};

struct Partition {
  Classes ranks, communicators, edges, links;  // links by LinkId; none for links that no edge crosses
  int rounds = 0;
};

// What folding looks at: the objects, who owns each edge, and how often each link is crossed.
struct Objects {
  Objects(const parallel::StepGraph& graph, const parallel::Traffic& traffic, const topology::Fabric& fabric);

  const parallel::StepGraph& graph;
  const parallel::Traffic& traffic;
  const topology::Fabric& fabric;
  std::vector<Index> edge_communicator;      // by edge; none for messages
  std::vector<Index> edge_message;           // by edge; none for bundles
  std::vector<std::uint32_t> edges_of_link;  // by link: how many edges cross it
};

// The coarsest equitable partition (colour refinement, 1-WL) below the start colours:
//   rank          its program and speed
//   communicator  slot, dimension, size, shape (so: algorithm, protocol, bytes and latency of each of its calls)
//   edge          the ops that start it (communicator slot and algorithm, or message slots and both programs), share, latency
//   link          capacity
// refined until nothing splits:
//   edge          by its communicator, or its two ends, and the colours of its links with their weights
//   link          by the colours and weights of the edges that cross it
//   communicator  by its members and edges
//   rank          by its communicators and messages
// Colours are 128-bit hashes; check_partition then compares every object with its representative exactly.
Partition refine(const Objects& objects);

// The certificate: one linear pass that compares the exact signature of every object with its class's representative. Throws
// std::logic_error when a pair differs: a bug, or a hash collision.
void check_partition(const Objects& objects, const Partition& partition);

}  // namespace gridlock::fold
