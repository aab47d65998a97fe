#include "sim/engine/full.hpp"

#include <stdexcept>

namespace gridlock::engine {

Problem full_problem(const parallel::StepGraph& graph, const parallel::Traffic& traffic, const topology::Fabric& fabric) {
  Problem problem;
  problem.graph = &graph;
  problem.traffic = &traffic;
  problem.class_of_link.assign(fabric.link_count(), none);

  for (const parallel::Edge& edge : traffic.edges) {
    FlowClass flow{static_cast<std::uint32_t>(problem.flow_links.size()), edge.link_count, edge.share, edge.latency_s, 1};
    for (const parallel::WeightedLink& hop : traffic.links_of(edge)) {
      Index& link_class = problem.class_of_link[hop.link];
      if (link_class == none) {
        link_class = static_cast<Index>(problem.links.size());
        problem.links.push_back({fabric.link(hop.link).bytes_per_s, 1, hop.link});
      }
      problem.flow_links.push_back({link_class, hop.weight});
    }
    problem.flows.push_back(flow);
  }

  for (std::size_t rank = 0; rank < graph.rank_program.size(); ++rank) {
    problem.ranks.push_back({graph.rank_program[rank], graph.rank_speed[rank], 1, static_cast<parallel::RankId>(rank)});
    problem.class_of_rank.push_back(static_cast<Index>(rank));
  }

  for (std::size_t c = 0; c < graph.communicators.size(); ++c) {
    const parallel::Communicator& communicator = graph.communicators[c];
    CommunicatorClass one{.slot = communicator.slot,
                          .dimension = communicator.dimension,
                          .shape = traffic.communicators[c].shape,
                          .ranks = static_cast<std::uint32_t>(communicator.members.size()),
                          .example = static_cast<Index>(c),
                          .rank_classes = {communicator.members.begin(), communicator.members.end()},
                          .patterns = {}};
    for (const parallel::EdgeRange& range : traffic.communicators[c].patterns) {
      FlowRange flows{range.algorithm, {}};
      for (Index edge = range.first; edge < range.first + range.count; ++edge) flows.flows.push_back(edge);
      one.patterns.push_back(std::move(flows));
    }
    problem.communicators.push_back(std::move(one));
  }

  for (std::size_t m = 0; m < graph.messages.size(); ++m) {
    const parallel::Message& message = graph.messages[m];
    problem.messages.push_back({traffic.message_edge[m], message.from, message.to, message.slot, message.to_slot});
  }
  problem.rank_communicator = graph.rank_communicator;
  problem.rank_message_out = graph.rank_message_out;
  problem.rank_message_in = graph.rank_message_in;

  if (problem.flows.size() != traffic.edges.size() || problem.ranks.size() != graph.rank_program.size())
    throw std::logic_error("full_problem: class counts differ from object counts");
  return problem;
}

}  // namespace gridlock::engine
