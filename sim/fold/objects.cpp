#include <numeric>

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

  first_crossing.assign(f.link_count() + 1, 0);
  for (const parallel::WeightedLink& hop : t.links) ++first_crossing[hop.link + 1];
  std::partial_sum(first_crossing.begin(), first_crossing.end(), first_crossing.begin());
  crossings.resize(t.links.size());
  std::vector<std::uint32_t> fill(first_crossing.begin(), first_crossing.end() - 1);
  for (Index e = 0; e < t.edges.size(); ++e)
    for (const parallel::WeightedLink& hop : t.links_of(t.edges[e])) crossings[fill[hop.link]++] = {e, hop.weight};
}

}  // namespace gridlock::fold
