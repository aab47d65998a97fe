#include "sim/fold/partition.hpp"

namespace gridlock::fold {

Objects::Objects(const parallel::StepGraph& g, const parallel::Traffic& t, const topology::Fabric& f)
    : graph(g), traffic(t), fabric(f) {
  edge_communicator.assign(t.edges.size(), none);
  edge_message.assign(t.edges.size(), none);
  for (Index c = 0; c < t.communicators.size(); ++c)
    for (const parallel::EdgeRange& range : t.communicators[c].patterns)
      for (Index e = range.first; e < range.first + range.count; ++e) edge_communicator[e] = c;
  for (Index m = 0; m < t.message_edge.size(); ++m) edge_message[t.message_edge[m]] = m;
  edges_of_link.assign(f.link_count(), 0);
  for (const parallel::WeightedLink& hop : t.links) ++edges_of_link[hop.link];
}

}  // namespace gridlock::fold
