#include "sim/fold/quotient.hpp"

#include <algorithm>

namespace gridlock::fold {
namespace {

std::vector<std::uint32_t> class_sizes(const Classes& classes) {
  std::vector<std::uint32_t> sizes(classes.count(), 0);
  for (Index k : classes.of)
    if (k != none) ++sizes[k];
  return sizes;
}

std::vector<Index> distinct(std::vector<Index> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// For each edge class the link classes it crosses, with their weights: read off the representative links.
void add_flows(const Objects& o, const Partition& p, engine::Problem& problem) {
  struct Entry {
    Index flow, link;
    double weight;
  };
  using Crossings = std::vector<std::pair<Index, double>>;  // edge class, weight
  std::vector<Index> represents(o.fabric.link_count(), none);
  for (Index c = 0; c < p.links.count(); ++c) represents[p.links.representative[c]] = c;
  std::vector<Crossings> by_class(p.links.count());
  for (Index e = 0; e < o.traffic.edges.size(); ++e)
    for (const parallel::WeightedLink& hop : o.traffic.links_of(o.traffic.edges[e]))
      if (represents[hop.link] != none) by_class[represents[hop.link]].emplace_back(p.edges.of[e], hop.weight);

  std::vector<Entry> entries;
  for (Index c = 0; c < p.links.count(); ++c) {
    std::sort(by_class[c].begin(), by_class[c].end());
    for (const auto& [flow, weight] : by_class[c]) {
      if (!entries.empty() && entries.back().link == c && entries.back().flow == flow)
        entries.back().weight += weight;
      else
        entries.push_back({flow, c, weight});
    }
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.flow < b.flow; });

  const std::vector<std::uint32_t> sizes = class_sizes(p.edges);
  std::size_t next = 0;
  for (Index f = 0; f < p.edges.count(); ++f) {
    const parallel::Edge& edge = o.traffic.edges[p.edges.representative[f]];
    engine::FlowClass flow{static_cast<std::uint32_t>(problem.flow_links.size()), 0, edge.share, edge.latency_s, sizes[f]};
    for (; next < entries.size() && entries[next].flow == f; ++next)
      problem.flow_links.push_back({entries[next].link, entries[next].weight});
    flow.link_count = static_cast<std::uint32_t>(problem.flow_links.size()) - flow.first_link;
    problem.flows.push_back(flow);
  }
}

void add_communicators(const Objects& o, const Partition& p, engine::Problem& problem) {
  const std::vector<std::uint32_t> sizes = class_sizes(p.communicators);
  for (Index k = 0; k < p.communicators.count(); ++k) {
    const Index c = p.communicators.representative[k];
    const parallel::Communicator& communicator = o.graph.communicators[c];
    std::vector<Index> members;
    for (parallel::RankId rank : communicator.members) members.push_back(p.ranks.of[rank]);
    engine::CommunicatorClass one{.slot = communicator.slot,
                                  .dimension = communicator.dimension,
                                  .shape = o.traffic.communicators[c].shape,
                                  .ranks = static_cast<std::uint32_t>(communicator.members.size()),
                                  .members = sizes[k],
                                  .example = c,
                                  .rank_classes = distinct(std::move(members)),
                                  .patterns = {}};
    for (const parallel::EdgeRange& range : o.traffic.communicators[c].patterns) {
      std::vector<Index> flows;
      for (Index e = range.first; e < range.first + range.count; ++e) flows.push_back(p.edges.of[e]);
      one.patterns.push_back({range.algorithm, distinct(std::move(flows))});
    }
    problem.communicators.push_back(std::move(one));
  }
}

// Messages have the classes of their edges.
void add_messages(const Objects& o, const Partition& p, engine::Problem& problem) {
  const parallel::StepGraph& graph = o.graph;
  std::vector<Index> class_of_flow(p.edges.count(), none);
  for (Index f = 0; f < p.edges.count(); ++f) {
    const Index m = o.edge_message[p.edges.representative[f]];
    if (m == none) continue;
    const parallel::Message& message = graph.messages[m];
    class_of_flow[f] = static_cast<Index>(problem.messages.size());
    problem.messages.push_back({f, p.ranks.of[message.from], p.ranks.of[message.to], message.slot, message.to_slot});
  }
  for (Index r : p.ranks.representative) {
    for (std::size_t s = 0; s < graph.communicator_slots; ++s) {
      const Index c = graph.rank_communicator[r * graph.communicator_slots + s];
      problem.rank_communicator.push_back(c == none ? none : p.communicators.of[c]);
    }
    for (std::size_t s = 0; s < graph.message_slots; ++s) {
      const auto message_class = [&](Index m) { return m == none ? none : class_of_flow[p.edges.of[o.traffic.message_edge[m]]]; };
      problem.rank_message_out.push_back(message_class(graph.rank_message_out[r * graph.message_slots + s]));
      problem.rank_message_in.push_back(message_class(graph.rank_message_in[r * graph.message_slots + s]));
    }
  }
}

}  // namespace

engine::Problem quotient(const Objects& o, const Partition& p) {
  engine::Problem problem;
  problem.graph = &o.graph;
  problem.traffic = &o.traffic;
  problem.folded = true;
  problem.class_of_rank = p.ranks.of;
  problem.class_of_link = p.links.of;
  const std::vector<std::uint32_t> link_sizes = class_sizes(p.links), rank_sizes = class_sizes(p.ranks);
  for (Index c = 0; c < p.links.count(); ++c)
    problem.links.push_back({o.fabric.link(p.links.representative[c]).bytes_per_s, link_sizes[c], p.links.representative[c]});
  for (Index k = 0; k < p.ranks.count(); ++k) {
    const Index r = p.ranks.representative[k];
    problem.ranks.push_back({o.graph.rank_program[r], o.graph.rank_speed[r], rank_sizes[k], r});
  }
  add_flows(o, p, problem);
  add_communicators(o, p, problem);
  add_messages(o, p, problem);
  return problem;
}

engine::Problem fold(const parallel::StepGraph& graph, const parallel::Traffic& traffic, const topology::Fabric& fabric) {
  const Objects objects(graph, traffic, fabric);
  const Partition partition = refine(objects);
  check_partition(objects, partition);
  return quotient(objects, partition);
}

}  // namespace gridlock::fold
