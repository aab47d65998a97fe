// A fabric given cable by cable. Ends called node<n>.nic<i> are NICs, all others are switches, made when first named. Loops are
// welcome: routes are shortest paths. Every node must reach every other.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>

#include "topology/builder.hpp"
#include "topology/error.hpp"

namespace gridlock::topology {
namespace {

std::optional<int> leading_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

class Custom {
 public:
  explicit Custom(Builder& builder) : builder_(builder), spec_(builder.fabric.spec) {}

  void add_edges() {
    if (spec_.fabric.edges.empty()) {
      throw SpecError("cluster.fabric.edges", "a custom fabric needs its cables",
                      "list them as {from: node0.nic0, to: switch0, bandwidth: 400Gbps}");
    }
    for (std::size_t i = 0; i < spec_.fabric.edges.size(); ++i) {
      const CustomEdge& edge = spec_.fabric.edges[i];
      const std::string key = fmt::format("cluster.fabric.edges.{}", i);
      check(edge, key);
      const VertexId from = vertex(edge.from, key + ".from"), to = vertex(edge.to, key + ".to");
      add(edge, from, to);
      if (edge.duplex) add(edge, to, from);
    }
    number_lanes();
  }

  // Breadth-first from the NICs of every node; NICs forward nothing.
  void check_connected() const {
    std::vector<std::vector<VertexId>> heads(builder_.vertices.size());
    std::vector<bool> cabled(static_cast<std::size_t>(spec_.nodes), false);
    for (std::size_t id = first_link(); id < builder_.links.size(); ++id) {
      const Cable& cable = builder_.links[id];
      heads[cable.from].push_back(cable.to);
      for (VertexId end : {cable.from, cable.to}) {
        if (builder_.vertices[end].node >= 0) cabled[static_cast<std::size_t>(builder_.vertices[end].node)] = true;
      }
    }
    for (int node = 0; node < spec_.nodes; ++node) {
      if (cabled[static_cast<std::size_t>(node)]) continue;
      throw SpecError("cluster.fabric.edges", fmt::format("no cable ends at node{}", node),
                      fmt::format("give node{}.nic0 one", node));
    }
    std::vector<int> seen(builder_.vertices.size(), -1);  // the last node that reached the vertex
    for (int node = 0; node < spec_.nodes; ++node) check_reach(node, heads, seen);
  }

 private:
  void check(const CustomEdge& edge, const std::string& key) const {
    if (edge.from == edge.to) throw SpecError(key + ".to", fmt::format("a cable from '{}' to itself", edge.from));
    if (!(edge.bytes_per_s > 0)) throw SpecError(key + ".bandwidth", "a cable needs a bandwidth above 0");
    if (!(edge.latency_s >= 0)) throw SpecError(key + ".latency", "a latency cannot be negative");
  }

  VertexId vertex(const std::string& name, const std::string& key) {
    if (const auto known = switches_.find(name); known != switches_.end()) return known->second;
    std::string_view rest = name;
    if (rest.starts_with("node")) {
      rest.remove_prefix(4);
      if (const auto node = leading_number(rest)) return nic(name, *node, rest, key);
    }
    if (name.empty() || name.find_first_of(":#*?> \t") != std::string::npos) {
      throw SpecError(key, fmt::format("'{}' cannot be the name of a switch", name),
                      "leave out spaces and the characters : # * ? >");
    }
    auto& names = builder_.fabric.custom_names;
    const VertexId made = builder_.add_vertex({VertexKind::custom, -1, static_cast<std::int32_t>(names.size()), -1, 1});
    names.push_back(name);
    switches_.emplace(name, made);
    return made;
  }

  VertexId nic(const std::string& name, int node, std::string_view rest, const std::string& key) const {
    if (!rest.starts_with(".nic")) {
      throw SpecError(key, fmt::format("'{}' is not the end of a cable", name),
                      fmt::format("cables end at NICs and switches: write node{}.nic0", node));
    }
    rest.remove_prefix(4);
    const auto index = leading_number(rest);
    if (!index || !rest.empty())
      throw SpecError(key, fmt::format("'{}' is not a NIC", name), fmt::format("write node{}.nic0", node));
    if (node >= spec_.nodes) throw SpecError(key, fmt::format("there is no node{}, the last is node{}", node, spec_.nodes - 1));
    if (*index >= spec_.node.nics)
      throw SpecError(key, fmt::format("there is no {}, the last NIC of a node is nic{}", name, spec_.node.nics - 1));
    return builder_.nic(node, *index);
  }

  void add(const CustomEdge& edge, VertexId from, VertexId to) {
    const auto is_nic = [&](VertexId v) { return builder_.vertices[v].kind == VertexKind::nic; };
    const LinkKind kind = is_nic(from) || is_nic(to) ? LinkKind::nic : LinkKind::custom;
    builder_.add_link(from, to, kind, edge.bytes_per_s, edge.latency_s > 0 ? edge.latency_s : builder_.latency(kind), 1, -1);
  }

  std::size_t first_link() const { return static_cast<std::size_t>(builder_.fabric.links_per_node) * spec_.nodes; }

  // Links that join the same two vertices are told apart by their lane.
  void number_lanes() {
    std::map<std::pair<VertexId, VertexId>, std::vector<Cable*>> parallel;
    for (std::size_t id = first_link(); id < builder_.links.size(); ++id) {
      Cable& cable = builder_.links[id];
      parallel[{cable.from, cable.to}].push_back(&cable);
    }
    for (const auto& [ends, cables] : parallel) {
      for (std::size_t lane = 0; cables.size() > 1 && lane < cables.size(); ++lane)
        cables[lane]->link.lane = static_cast<int>(lane);
    }
  }

  void check_reach(int node, const std::vector<std::vector<VertexId>>& heads, std::vector<int>& seen) const {
    std::vector<bool> reached(static_cast<std::size_t>(spec_.nodes), false);
    reached[static_cast<std::size_t>(node)] = true;
    std::vector<VertexId> queue;
    for (int i = 0; i < spec_.node.nics; ++i) queue.push_back(builder_.nic(node, i));
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (VertexId head : heads[queue[i]]) {
        if (seen[head] == node) continue;
        seen[head] = node;
        const Vertex& vertex = builder_.vertices[head];
        if (vertex.kind == VertexKind::nic) {
          reached[static_cast<std::size_t>(vertex.node)] = true;
        } else {
          queue.push_back(head);
        }
      }
    }
    const auto missed = std::find(reached.begin(), reached.end(), false);
    if (missed == reached.end()) return;
    throw SpecError("cluster.fabric.edges",
                    fmt::format("node{} cannot reach node{}: no cables lead there", node, missed - reached.begin()),
                    "join their switches; NICs and GPUs forward nothing");
  }

  Builder& builder_;
  const ClusterSpec& spec_;
  std::map<std::string, VertexId> switches_;
};

}  // namespace

void add_custom(Builder& builder) {
  Custom custom(builder);
  custom.add_edges();
  custom.check_connected();
}

}  // namespace gridlock::topology
