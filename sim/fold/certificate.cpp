#include <algorithm>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

#include "sim/fold/partition.hpp"

namespace gridlock::fold {
namespace {

void require(bool equal, const char* kind, std::size_t object) {
  if (!equal)
    throw std::logic_error("folding certificate: a " + std::string(kind) + " differs from its representative (number " +
                           std::to_string(object) + ")");
}

class Certificate {
 public:
  Certificate(const Objects& objects, const Partition& partition) : o_(objects), p_(partition) {}

  void check() {
    check_kind(p_.ranks, "rank", [&](Index r, auto& out) { rank_signature(r, out); });
    check_kind(p_.communicators, "communicator", [&](Index c, auto& out) { communicator_signature(c, out); });
    check_kind(p_.edges, "edge", [&](Index e, auto& out) { edge_signature(e, out); });
    check_links();
  }

 private:
  // A signature is a list of (class, number) pairs, sorted where order does not matter.
  using Signature = std::vector<std::pair<Index, double>>;

  void check_kind(const Classes& classes, const char* kind, auto signature) {
    std::vector<Signature> expected(classes.count());
    for (std::size_t k = 0; k < classes.count(); ++k) signature(classes.representative[k], expected[k]);
    Signature found;
    for (Index i = 0; i < classes.of.size(); ++i) {
      if (classes.of[i] == none) continue;
      found.clear();
      signature(i, found);
      require(found == expected[classes.of[i]], kind, i);
    }
  }

  void rank_signature(Index r, Signature& out) const {
    const parallel::StepGraph& graph = o_.graph;
    out.emplace_back(graph.rank_program[r], graph.rank_speed[r]);
    for (std::size_t s = 0; s < graph.communicator_slots; ++s) {
      const Index c = graph.rank_communicator[r * graph.communicator_slots + s];
      out.emplace_back(c == none ? none : p_.communicators.of[c], 0);
    }
    for (std::size_t s = 0; s < graph.message_slots; ++s)
      for (const std::vector<Index>* messages : {&graph.rank_message_out, &graph.rank_message_in}) {
        const Index m = (*messages)[r * graph.message_slots + s];
        out.emplace_back(m == none ? none : p_.edges.of[o_.traffic.message_edge[m]], 0);
      }
  }

  void communicator_signature(Index c, Signature& out) const {
    const parallel::Communicator& communicator = o_.graph.communicators[c];
    out.emplace_back(communicator.slot, static_cast<double>(communicator.dimension));
    out.emplace_back(o_.traffic.communicators[c].shape, static_cast<double>(communicator.members.size()));
    auto start = out.size();
    for (parallel::RankId rank : communicator.members) out.emplace_back(p_.ranks.of[rank], 0);
    std::sort(out.begin() + static_cast<std::ptrdiff_t>(start), out.end());
    for (const parallel::EdgeRange& range : o_.traffic.communicators[c].patterns) {
      out.emplace_back(static_cast<Index>(range.algorithm), static_cast<double>(range.count));
      start = out.size();
      for (Index e = range.first; e < range.first + range.count; ++e) out.emplace_back(p_.edges.of[e], 0);
      std::sort(out.begin() + static_cast<std::ptrdiff_t>(start), out.end());
    }
  }

  void edge_signature(Index e, Signature& out) const {
    const parallel::Edge& edge = o_.traffic.edges[e];
    if (const Index m = o_.edge_message[e]; m != none) {
      const parallel::Message& message = o_.graph.messages[m];
      out.emplace_back(p_.ranks.of[message.from], message.slot);
      out.emplace_back(p_.ranks.of[message.to], message.to_slot);
    } else {
      out.emplace_back(p_.communicators.of[o_.edge_communicator[e]], -1);
    }
    out.emplace_back(0, edge.share);
    out.emplace_back(0, edge.latency_s);
    const auto start = static_cast<std::ptrdiff_t>(out.size());
    for (const parallel::WeightedLink& hop : o_.traffic.links_of(edge)) out.emplace_back(p_.links.of[hop.link], hop.weight);
    std::sort(out.begin() + start, out.end());
  }

  // A link's signature is its capacity and how often each (edge class, weight) crosses it. Crossings are kept as numbers of these
  // pairs, link by link.
  void check_links() {
    std::vector<std::uint32_t> first(o_.edges_of_link.size() + 1, 0);
    std::partial_sum(o_.edges_of_link.begin(), o_.edges_of_link.end(), first.begin() + 1);
    std::vector<Index> crossings(o_.traffic.links.size());
    std::vector<std::uint32_t> fill(first.begin(), first.end() - 1);
    std::vector<std::vector<std::pair<double, Index>>> numbers(p_.edges.count());  // by edge class: weights seen
    Index pairs = 0;
    for (Index e = 0; e < o_.traffic.edges.size(); ++e) {
      auto& seen = numbers[p_.edges.of[e]];
      for (const parallel::WeightedLink& hop : o_.traffic.links_of(o_.traffic.edges[e])) {
        auto number = std::ranges::find(seen, hop.weight, &std::pair<double, Index>::first);
        if (number == seen.end()) number = seen.insert(number, {hop.weight, pairs++});
        crossings[fill[hop.link]++] = number->second;
      }
    }
    std::vector<std::uint32_t> counts(pairs, 0);
    check_kind(p_.links, "link", [&](Index l, Signature& out) {
      out.emplace_back(0, o_.fabric.link(l).bytes_per_s);
      const std::span crossed(crossings.data() + first[l], first[l + 1] - first[l]);
      for (const Index pair : crossed) ++counts[pair];
      for (const Index pair : crossed)
        if (counts[pair] > 0) out.emplace_back(pair, std::exchange(counts[pair], 0));
      std::sort(out.begin() + 1, out.end());
    });
  }

  const Objects& o_;
  const Partition& p_;
};

}  // namespace

void check_partition(const Objects& objects, const Partition& partition) { Certificate(objects, partition).check(); }

}  // namespace gridlock::fold
