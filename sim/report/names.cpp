#include "sim/report/names.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

#include "sim/report/link_kind.hpp"
#include "topology/statistics.hpp"

namespace gridlock::report {
namespace {

using topology::VertexKind;

// What the links of a class have in common.
struct Common {
  std::string base;
  std::set<int> rails, nodes;  // -1: of no rail, of no node
  std::string example;
};

// ", rail 3, nodes 0-63": where the links of a class are, as far as they agree.
std::string place(const Common& c) {
  std::string text;
  if (c.rails.size() == 1 && *c.rails.begin() >= 0) text += fmt::format(", rail {}", *c.rails.begin());
  if (*c.nodes.begin() >= 0) {
    const std::string nodes = compress({c.nodes.begin(), c.nodes.end()});
    if (nodes.size() <= 24) text += fmt::format(", node{} {}", c.nodes.size() > 1 ? "s" : "", nodes);
  }
  return text;
}

}  // namespace

std::string compress(const std::vector<std::uint32_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t j = i;
    while (j + 1 < numbers.size() && numbers[j + 1] == numbers[j] + 1) ++j;
    text += fmt::format("{}{}", text.empty() ? "" : ",", numbers[i]);
    if (j > i) text += fmt::format("-{}", numbers[j]);
    i = j + 1;
  }
  return text;
}

Names::Names(const engine::Simulation& simulation) : s_(simulation) {
  members_.resize(s_.problem.ranks.size());
  for (parallel::RankId rank = 0; rank < s_.problem.class_of_rank.size(); ++rank)
    members_[s_.problem.class_of_rank[rank]].push_back(rank);
  name_ranks();
  name_links();
}

void Names::name_ranks() {
  std::map<Index, int> classes_of_program, seen;
  for (const engine::RankClass& rank : s_.problem.ranks) ++classes_of_program[rank.program];
  for (Index r = 0; r < s_.problem.ranks.size(); ++r) {
    const engine::RankClass& rank = s_.problem.ranks[r];
    std::string name = s_.graph.programs[rank.program].name;
    if (classes_of_program[rank.program] > 1)
      name += rank.members == 1 ? fmt::format(", rank {}", rank.example) : fmt::format(", group {}", ++seen[rank.program]);
    if (rank.speed != 1) name += fmt::format(" (slow GPU, {:g} x)", rank.speed);
    ranks_.push_back(std::move(name));
  }
}

void Names::name_links() {
  std::vector<Common> common(s_.problem.links.size());
  for (topology::LinkId l = 0; l < s_.problem.class_of_link.size(); ++l) {
    const Index k = s_.problem.class_of_link[l];
    if (k == none) continue;
    const topology::Vertex& from = s_.fabric.graph[s_.fabric.source(l)];
    const topology::Vertex& to = s_.fabric.graph[s_.fabric.target(l)];
    if (common[k].base.empty()) {
      common[k].base = report::link_kind(s_.fabric, l);
      common[k].example = s_.fabric.link_name(l);
    }
    const auto rail_of = [](const topology::Vertex& v) { return v.kind == VertexKind::nic ? v.index : v.rail; };
    common[k].rails.insert(std::max(rail_of(from), rail_of(to)));
    common[k].nodes.insert(std::max(from.node, to.node));
  }
  std::map<std::string, int> alike;
  for (const Common& c : common) ++alike[c.base];
  for (std::size_t k = 0; k < common.size(); ++k) {
    const Common& c = common[k];
    std::string name = c.base;
    link_bases_.push_back(c.base);
    if (alike[c.base] > 1 && s_.problem.links[k].members == 1)
      name = c.example;
    else if (alike[c.base] > 1)
      name += place(c);
    links_.push_back(std::move(name));
  }
  // Classes that lie alike are told apart by an example.
  std::map<std::string, int> named;
  for (const std::string& name : links_) ++named[name];
  for (std::size_t k = 0; k < links_.size(); ++k)
    if (named[links_[k]] > 1) links_[k] += " like " + common[k].example;
}

std::string Names::link_example(Index k) const { return s_.fabric.link_name(s_.problem.links[k].example); }

std::string Names::communicator(Index c) const {
  const engine::CommunicatorClass& one = s_.problem.communicators[c];
  static constexpr std::string_view dimensions[] = {"tensor", "pipeline", "data", "context", "expert"};
  std::set<std::string> stages;
  for (Index r : one.rank_classes) stages.insert(s_.graph.programs[s_.problem.ranks[r].program].name);
  std::string of = stages.size() == 1   ? *stages.begin()
                   : stages.size() == 2 ? *stages.begin() + " and " + *stages.rbegin()
                                        : "all stages";
  if (s_.problem.communicators[c].members == 1 && stages.size() == 1 && one.rank_classes.size() == 1)
    of = ranks_[one.rank_classes[0]];
  return fmt::format("{} group of {}", dimensions[static_cast<std::size_t>(one.dimension)], of);
}

std::string Names::message(Index m) const {
  const engine::MessageClass& one = s_.problem.messages[m];
  return ranks_[one.from] + " -> " + ranks_[one.to];
}

std::string Names::rank_list(Index r) const { return compress(members_[r]); }

std::string_view Names::kind(analysis::BoundKind kind) {
  switch (kind) {
    case analysis::BoundKind::link:
      return "link";
    case analysis::BoundKind::latency:
      return "latency";
    case analysis::BoundKind::compute:
      return "compute";
    case analysis::BoundKind::peer:
      return "peer";
  }
  return "peer";
}

std::string Names::bound(const analysis::Bound& bound) const {
  switch (bound.kind) {
    case analysis::BoundKind::link:
      return bound.subject == none ? "" : links_[bound.subject];
    case analysis::BoundKind::latency:
      return "latency";
    case analysis::BoundKind::compute:
      return "GPU copy rate (collective channels)";
    case analysis::BoundKind::peer:
      return bound.subject == none ? "the last to finish" : ranks_[bound.subject];
  }
  return "";
}

}  // namespace gridlock::report
