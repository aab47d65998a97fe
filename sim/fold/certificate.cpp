#include <algorithm>
#include <stdexcept>
#include <tuple>

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
    check_kind(p_.links, "link", [&](Index l, auto& out) { link_signature(l, out); });
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

  void link_signature(Index l, Signature& out) const {
    out.emplace_back(0, o_.fabric.link(l).bytes_per_s);
    for (std::uint32_t i = o_.first_crossing[l]; i < o_.first_crossing[l + 1]; ++i)
      out.emplace_back(p_.edges.of[o_.crossings[i].edge], o_.crossings[i].weight);
    std::sort(out.begin() + 1, out.end());
  }

  const Objects& o_;
  const Partition& p_;
};

}  // namespace

void check_partition(const Objects& objects, const Partition& partition) { Certificate(objects, partition).check(); }

}  // namespace gridlock::fold
