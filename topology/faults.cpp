// Link faults: a glob over cable names slows what it matches.
//
//   capacity of a trunk of k cables with factors f_1 .. f_k = healthy capacity * (f_1 + ... + f_k) / k
//
// Spraying adapts to what a cable can take, so a trunk loses just the slow cable's part. Several faults on one cable multiply.
// A factor of 0 takes the cable down: routes go around it (switch_graph.hpp), where there is a way around.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string>

#include "topology/builder.hpp"
#include "topology/error.hpp"
#include "topology/text.hpp"

namespace gridlock::topology {
namespace {

// "a->b#lane", or "a:b#lane" for both directions.
struct Pattern {
  std::string first, second;
  std::optional<std::string> lane;
  bool directed = true;

  bool ends_match(const std::string& from, const std::string& to) const {
    return (glob_match(first, from) && glob_match(second, to)) ||
           (!directed && glob_match(first, to) && glob_match(second, from));
  }
  bool lane_matches(int number) const { return !lane || (number >= 0 && glob_match(*lane, std::to_string(number))); }
};

std::optional<Pattern> parse(const std::string& text) {
  Pattern pattern;
  std::string ends = text;
  if (const auto hash = ends.find('#'); hash != std::string::npos) {
    pattern.lane = ends.substr(hash + 1);
    ends.resize(hash);
  }
  const auto arrow = ends.find("->"), colon = ends.find(':');
  if (arrow == std::string::npos && colon == std::string::npos) return std::nullopt;
  pattern.directed = arrow != std::string::npos;
  pattern.first = ends.substr(0, pattern.directed ? arrow : colon);
  pattern.second = ends.substr(pattern.directed ? arrow + 2 : colon + 1);
  return pattern;
}

// The cable of a trunk under the names it has without collapsing.
struct CableName {
  std::string lower, upper;
  int lane;  // -1 when alone between its two switches
};

int lane_of(int cable, int cables, int period) { return cable < period && cable + period >= cables ? -1 : cable / period; }

CableName cable_of_trunk(const Fabric& fabric, VertexId lower, VertexId upper, int cable) {
  const TreePlan& plan = fabric.plan;
  const Vertex& below = fabric.graph[lower];
  if (below.kind == VertexKind::leaf) {
    const int spine = plan.spine_of_cable(below.index, cable);
    return {fabric.vertex_name(lower), fmt::format("spine{}", spine), lane_of(cable, plan.leaf_up, plan.spines)};
  }
  const int plane = std::max(0, fabric.graph[upper].rail);
  const int spine = plan.first_spine(plane, below.index) + cable / plan.spine_up;
  const int port = cable % plan.spine_up;
  return {fmt::format("spine{}", spine), fmt::format("core{}", plan.core_of_cable(spine, port)),
          lane_of(port, plan.spine_up, plan.cores)};
}

class Faults {
 public:
  explicit Faults(Fabric& fabric) : fabric_(fabric) {}

  // Whether any cable matched.
  bool match(const Pattern& pattern, double factor) {
    find_vertices(pattern);
    bool any = false;
    for (LinkId id = 0; id < fabric_.link_count(); ++id) any |= match_link(id, pattern, factor);
    return any;
  }

  void apply() {
    for (const auto& [id, cables] : factors_) {
      const double mean = std::accumulate(cables.begin(), cables.end(), 0.0) / static_cast<double>(cables.size());
      Link& link = fabric_.graph[fabric_.link_edges[id]];
      if (mean == 0 && (link.kind == LinkKind::nvlink || link.kind == LinkKind::pcie || link.kind == LinkKind::socket))
        throw SpecError("faults.links",
                        fmt::format("{} is down, and inside a node there is no way around", fabric_.link_name(id)),
                        "write a factor above 0, or place the ranks on other nodes");
      link.bytes_per_s *= mean;
    }
  }

 private:
  enum : std::uint8_t { is_first = 1, is_second = 2 };

  // Names are formatted and matched once a vertex rather than once a link.
  void find_vertices(const Pattern& pattern) {
    roles_.assign(num_vertices(fabric_.graph), 0);
    for (VertexId v = 0; v < roles_.size(); ++v) {
      const std::string name = fabric_.vertex_name(v);
      if (glob_match(pattern.first, name)) roles_[v] |= is_first;
      if (glob_match(pattern.second, name)) roles_[v] |= is_second;
    }
  }

  bool match_link(LinkId id, const Pattern& pattern, double factor) {
    const VertexId from = fabric_.source(id), to = fabric_.target(id);
    const Link& link = fabric_.link(id);
    const bool trunk = fabric_.collapsed() && (link.kind == LinkKind::uplink || link.kind == LinkKind::core);
    const bool ends = ((roles_[from] & is_first) && (roles_[to] & is_second)) ||
                      (!pattern.directed && (roles_[to] & is_first) && (roles_[from] & is_second));
    if (trunk) return match_cables(id, from, to, pattern, ends, factor);
    if (!ends || !pattern.lane_matches(link.lane)) return false;
    slow(id, 0, factor);
    return true;
  }

  // By the trunk's own name all cables match, and "#7" is its seventh cable; else each goes by its physical name.
  bool match_cables(LinkId id, VertexId from, VertexId to, const Pattern& pattern, bool by_own_name, double factor) {
    const bool from_is_leaf = fabric_.graph[from].kind == VertexKind::leaf,
               to_is_leaf = fabric_.graph[to].kind == VertexKind::leaf;
    if ((from_is_leaf && roles_[from] == 0) || (to_is_leaf && roles_[to] == 0)) return false;  // no cable of this leaf can match
    const bool up = from_is_leaf || fabric_.graph[to].kind == VertexKind::core;
    bool any = false;
    for (int c = 0; c < static_cast<int>(fabric_.link(id).cables); ++c) {
      bool hit = by_own_name && pattern.lane_matches(c);
      if (!by_own_name) {
        const CableName cable = cable_of_trunk(fabric_, up ? from : to, up ? to : from, c);
        const bool ends = up ? pattern.ends_match(cable.lower, cable.upper) : pattern.ends_match(cable.upper, cable.lower);
        hit = ends && pattern.lane_matches(cable.lane);
      }
      if (hit) slow(id, static_cast<std::size_t>(c), factor);
      any |= hit;
    }
    return any;
  }

  void slow(LinkId id, std::size_t cable, double factor) {
    const bool trunk = fabric_.link(id).cables > 1;
    auto [entry, fresh] = factors_.try_emplace(id);
    if (fresh) entry->second.assign(trunk ? fabric_.link(id).cables : 1, 1.0);
    entry->second[cable] *= factor;
  }

  Fabric& fabric_;
  std::vector<std::uint8_t> roles_;                // by vertex: which part of the pattern its name matches
  std::map<LinkId, std::vector<double>> factors_;  // by cable
};

std::vector<std::string> device_names(const Fabric& fabric) {
  std::vector<std::string> names;
  for (VertexId v = 0; v < num_vertices(fabric.graph); ++v) names.push_back(fabric.vertex_name(v));
  if (fabric.collapsed()) {
    for (int i = 0; i < fabric.plan.total_spines(); ++i) names.push_back(fmt::format("spine{}", i));
    for (int i = 0; i < fabric.plan.total_cores(); ++i) names.push_back(fmt::format("core{}", i));
  }
  return names;
}

// What is wrong with a pattern that matches nothing, and what to write instead.
std::string advice(const Fabric& fabric, const Pattern& pattern) {
  const std::vector<std::string> names = device_names(fabric);
  for (const std::string& end : {pattern.first, pattern.second}) {
    if (std::any_of(names.begin(), names.end(), [&](const std::string& name) { return glob_match(end, name); })) continue;
    const auto near = closest(end, names);
    return fmt::format("no device is called '{}'{}", end, near ? fmt::format("; did you mean '{}'?", *near) : "");
  }
  for (VertexId v = 0; v < num_vertices(fabric.graph); ++v) {
    if (!glob_match(pattern.first, fabric.vertex_name(v))) continue;
    std::string links;
    int shown = 0;
    for (auto [edge, end] = out_edges(v, fabric.graph); edge != end && shown < 3; ++edge, ++shown) {
      links += fmt::format("{}'{}'", shown ? ", " : "", fabric.link_name(fabric.graph[*edge].id));
    }
    return fmt::format("there are for instance {}", links);
  }
  return {};
}

}  // namespace

void apply_faults(Fabric& fabric, const std::vector<LinkFault>& faults) {
  Faults slowed(fabric);
  for (std::size_t i = 0; i < faults.size(); ++i) {
    const LinkFault& fault = faults[i];
    const std::string key = fmt::format("faults.links.{}", i);
    if (!(fault.factor >= 0 && fault.factor <= 1)) {
      throw SpecError(key + ".factor", fmt::format("a factor of {:g} is not between 0 and 1", fault.factor));
    }
    const auto pattern = parse(fault.match);
    if (!pattern) {
      throw SpecError(key + ".match", fmt::format("'{}' names no link", fault.match),
                      fmt::format("write '{}:*' for all links of a device, or 'leaf0->spine1' for one", fault.match));
    }
    if (!slowed.match(*pattern, fault.factor)) {
      throw SpecError(key + ".match", fmt::format("'{}' matches no link", fault.match), advice(fabric, *pattern));
    }
  }
  slowed.apply();
}

}  // namespace gridlock::topology
