// Where the step graph's collectives and messages travel: every edge (one bundle of a communicator, or one message) with its
// links, and for every call the algorithm, protocol and latency. Object by object, nothing folded yet.
#pragma once

#include <span>
#include <vector>

#include "sim/parallel/step_graph.hpp"
#include "topology/router.hpp"

namespace gridlock::parallel {

using collectives::WeightedLink;

struct Edge {
  std::uint32_t first_link = 0, link_count = 0;  // Traffic::links[first_link, +link_count), sorted by link
  double share = 1;                              // of the call's wire bytes; 1 for a message
  double latency_s = 0;                          // of a message; a call's latency stands in its plan
};

// Calls of at most this many bytes (the gradient norm) put no flow on the fabric: their bytes take nanoseconds of their
// microseconds, and a tree laid over all ranks for them would tell apart links that nothing else tells apart.
constexpr double latency_only_bytes = 4096;

// How a call runs on communicators of one shape.
struct CallPlan {
  collectives::Choice choice;  // of a latency-only call: latency_s is the whole predicted time
  double wire_bytes =
      0;  // bytes of the whole pattern on one edge, protocol overhead included; an edge moves share * wire_bytes; 0 = no flow
};

// Edges of one algorithm of one communicator.
struct EdgeRange {
  collectives::Algorithm algorithm = collectives::Algorithm::ring;
  Index first = 0, count = 0;
};

struct CommunicatorTraffic {
  Index shape = 0;  // communicators of equal shape run equal calls alike
  std::vector<EdgeRange> patterns;
};

struct Traffic {
  std::vector<WeightedLink> links;
  std::vector<Edge> edges;
  std::vector<CommunicatorTraffic> communicators;  // by communicator
  std::vector<Index> message_edge;                 // by message
  std::vector<collectives::CommunicatorShape> shapes;
  std::vector<CallPlan> plans;  // shape * calls + call; only calls that occur on the shape's slot are filled
  std::size_t calls = 0;

  std::span<const WeightedLink> links_of(const Edge& e) const { return {links.data() + e.first_link, e.link_count}; }
  const CallPlan& plan(Index shape, Index call) const { return plans[shape * calls + call]; }
  const EdgeRange& pattern(Index communicator, collectives::Algorithm algorithm) const;
};

struct TrafficOptions {
  collectives::TuningParameters tuning;
  collectives::Override forced;
};

Traffic make_traffic(const StepGraph& graph, const topology::Fabric& fabric, const topology::Router& router,
                     const TrafficOptions& options);

// Calls that communicators of `slot` run, by call index.
std::vector<bool> calls_of_slot(const StepGraph& graph, std::uint8_t slot);

}  // namespace gridlock::parallel
