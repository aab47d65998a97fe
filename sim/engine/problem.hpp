// What the engine runs: classes of ranks, communicators, messages, edges and links. Folding makes it from classes of equal
// objects, full_problem from every object as a class of its own; the engine cannot tell the two apart.
//
// A class stands for all its members: they do the same at the same time. Weights are those of the quotient: a flow of edge class
// i takes weight w of link class l when the members of i together cross one member of l with weight w.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/parallel/step_graph.hpp"
#include "sim/parallel/traffic.hpp"

namespace gridlock::engine {

using parallel::Index;
using parallel::none;

struct LinkClass {
  double bytes_per_s = 0;
  std::uint32_t members = 1;
  topology::LinkId example = 0;
};

struct FlowLink {
  Index link = 0;  // link class
  double weight = 1;
};

struct FlowClass {
  std::uint32_t first_link = 0, link_count = 0;  // Problem::flow_links
  double share = 1;
  double latency_s = 0;  // messages only
  std::uint32_t members = 1;
};

struct RankClass {
  Index program = 0;
  double speed = 1;
  std::uint32_t members = 1;
  parallel::RankId example = 0;
};

struct FlowRange {
  collectives::Algorithm algorithm = collectives::Algorithm::ring;
  std::vector<Index> flows;  // flow classes, each once
};

struct CommunicatorClass {
  std::uint8_t slot = 0;
  parallel::Dimension dimension = parallel::Dimension::data;
  Index shape = 0;
  std::uint32_t ranks = 0;    // members of one communicator
  std::uint32_t members = 1;  // communicators in the class
  Index example = 0;
  std::vector<Index> rank_classes;  // each once
  std::vector<FlowRange> patterns;
  bool exclusive = false;  // no other flow ever crosses its links: its calls take a fixed time (set by contraction)
};

struct MessageClass {
  Index flow = 0;
  Index from = 0, to = 0;  // rank classes
  std::uint8_t slot = 0, to_slot = 0;
};

struct Problem {
  const parallel::StepGraph* graph = nullptr;
  const parallel::Traffic* traffic = nullptr;
  bool folded = false;
  std::vector<LinkClass> links;
  std::vector<FlowLink> flow_links;
  std::vector<FlowClass> flows;
  std::vector<RankClass> ranks;
  std::vector<CommunicatorClass> communicators;
  std::vector<MessageClass> messages;
  std::vector<Index> rank_communicator;  // rank class * communicator_slots + slot
  std::vector<Index> rank_message_out;   // rank class * message_slots + slot
  std::vector<Index> rank_message_in;

  std::vector<Index> class_of_rank;  // by rank
  std::vector<Index> class_of_link;  // by LinkId; none for links that nothing crosses
};

}  // namespace gridlock::engine
