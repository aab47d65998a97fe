#include <unordered_map>

#include "sim/fold/colour.hpp"
#include "sim/fold/partition.hpp"

namespace gridlock::fold {
namespace {

struct ColourHash {
  std::size_t operator()(Colour c) const { return c.a; }
};
using ClassIndex = std::unordered_map<Colour, Index, ColourHash>;  // look-up only, never iterated

std::size_t count_classes(const std::vector<Colour>& colours, ClassIndex& scratch) {
  scratch.clear();
  for (Colour c : colours) scratch.try_emplace(c, 0);
  return scratch.size();
}

Classes number_classes(const std::vector<Colour>& colours, auto is_used) {
  Classes classes;
  ClassIndex index;
  classes.of.assign(colours.size(), none);
  for (Index i = 0; i < colours.size(); ++i) {
    if (!is_used(i)) continue;
    const auto [found, fresh] = index.try_emplace(colours[i], static_cast<Index>(classes.representative.size()));
    if (fresh) classes.representative.push_back(i);
    classes.of[i] = found->second;
  }
  return classes;
}

class Refinement {
 public:
  explicit Refinement(const Objects& objects) : o_(objects) { start_colours(); }

  Partition run() {
    Partition partition;
    ClassIndex scratch;
    std::size_t before = 0;
    for (;;) {
      ++partition.rounds;
      refine_edges_and_links();
      refine_communicators();
      refine_ranks();
      const std::size_t now = count_classes(ranks_, scratch) + count_classes(communicators_, scratch) +
                              count_classes(edges_, scratch) + count_classes(links_, scratch);
      if (now == before) break;
      before = now;
    }
    const auto all = [](Index) { return true; };
    partition.ranks = number_classes(ranks_, all);
    partition.communicators = number_classes(communicators_, all);
    partition.edges = number_classes(edges_, all);
    partition.links = number_classes(links_, [&](Index l) { return o_.edges_of_link[l] > 0; });
    return partition;
  }

 private:
  void start_colours() {
    const parallel::StepGraph& graph = o_.graph;
    const parallel::Traffic& traffic = o_.traffic;
    for (std::size_t r = 0; r < graph.rank_program.size(); ++r)
      ranks_.push_back(mix(mix(Colour{1, 1}, std::uint64_t{graph.rank_program[r]}), graph.rank_speed[r]));
    for (std::size_t c = 0; c < graph.communicators.size(); ++c) {
      const parallel::Communicator& communicator = graph.communicators[c];
      Colour colour = mix(Colour{2, 2}, std::uint64_t{communicator.slot});
      colour = mix(colour, static_cast<std::uint64_t>(communicator.dimension));
      colour = mix(colour, std::uint64_t{communicator.members.size()});
      communicators_.push_back(mix(colour, std::uint64_t{traffic.communicators[c].shape}));
    }
    edges_.resize(traffic.edges.size());
    for (std::size_t e = 0; e < traffic.edges.size(); ++e)
      edges_[e] = mix(mix(Colour{3, 3}, traffic.edges[e].share), traffic.edges[e].latency_s);
    for (const parallel::CommunicatorTraffic& communicator : traffic.communicators)
      for (const parallel::EdgeRange& range : communicator.patterns)
        for (Index e = range.first; e < range.first + range.count; ++e)
          edges_[e] = mix(edges_[e], static_cast<std::uint64_t>(range.algorithm));
    for (std::size_t m = 0; m < graph.messages.size(); ++m) {
      const parallel::Message& message = graph.messages[m];
      Colour& colour = edges_[traffic.message_edge[m]];
      colour = mix(mix(mix(colour, std::uint64_t{100}), std::uint64_t{message.slot}), std::uint64_t{message.to_slot});
    }
    for (std::size_t l = 0; l < o_.fabric.link_count(); ++l)
      links_.push_back(mix(Colour{4, 4}, o_.fabric.link(static_cast<Index>(l)).bytes_per_s));
  }

  // One pass over the edges: an all-to-all over a thousand ranks has ten million crossings, far more than fit a cache, of few
  // thousand links, which do.
  void refine_edges_and_links() {
    std::vector<Bag> bags(links_.size());
    for (Index e = 0; e < edges_.size(); ++e) {
      edges_[e] = refined_edge(e);
      Bag crossing;  // by one edge of one weight; most weights of an edge are equal
      double weight = -1;
      for (const parallel::WeightedLink& hop : o_.traffic.links_of(o_.traffic.edges[e])) {
        if (hop.weight != weight) {
          weight = hop.weight;
          crossing = Bag();
          crossing.add(mix(edges_[e], weight));
        }
        bags[hop.link].add(crossing);
      }
    }
    for (std::size_t l = 0; l < links_.size(); ++l)
      if (o_.edges_of_link[l] > 0) links_[l] = mix(links_[l], bags[l].colour());
  }

  Colour refined_edge(Index e) const {
    Bag bag;
    for (const parallel::WeightedLink& hop : o_.traffic.links_of(o_.traffic.edges[e])) bag.add(mix(links_[hop.link], hop.weight));
    const Colour colour = mix(edges_[e], bag.colour());
    if (o_.edge_message[e] == none) return mix(colour, communicators_[o_.edge_communicator[e]]);
    const parallel::Message& message = o_.graph.messages[o_.edge_message[e]];
    return mix(mix(colour, ranks_[message.from]), ranks_[message.to]);
  }

  void refine_communicators() {
    for (std::size_t c = 0; c < communicators_.size(); ++c) {
      Bag members, edges;
      for (parallel::RankId rank : o_.graph.communicators[c].members) members.add(ranks_[rank]);
      for (const parallel::EdgeRange& range : o_.traffic.communicators[c].patterns)
        for (Index e = range.first; e < range.first + range.count; ++e) edges.add(edges_[e]);
      communicators_[c] = mix(mix(communicators_[c], members.colour()), edges.colour());
    }
  }

  void refine_ranks() {
    const parallel::StepGraph& graph = o_.graph;
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      Colour colour = ranks_[r];
      for (std::size_t s = 0; s < graph.communicator_slots; ++s) {
        const Index c = graph.rank_communicator[r * graph.communicator_slots + s];
        colour = c == none ? mix(colour, std::uint64_t{0}) : mix(colour, communicators_[c]);
      }
      for (std::size_t s = 0; s < graph.message_slots; ++s)
        for (const std::vector<Index>* messages : {&graph.rank_message_out, &graph.rank_message_in}) {
          const Index m = (*messages)[r * graph.message_slots + s];
          colour = m == none ? mix(colour, std::uint64_t{0}) : mix(colour, edges_[o_.traffic.message_edge[m]]);
        }
      ranks_[r] = colour;
    }
  }

  const Objects& o_;
  std::vector<Colour> ranks_, communicators_, edges_, links_;
};

}  // namespace

Partition refine(const Objects& objects) { return Refinement(objects).run(); }

}  // namespace gridlock::fold
