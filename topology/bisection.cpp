#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <cmath>
#include <map>
#include <utility>

#include "topology/statistics.hpp"

namespace gridlock::topology {
namespace {

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
// Whole bytes/s: push-relabel compares excesses with zero, which rounding would spoil.
using Rate = long long;

struct FlowEdge {
  Rate capacity = 0, residual = 0;
  Traits::edge_descriptor reverse;
};
using FlowGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, FlowEdge>;

// Which vertices of the fabric send, receive, forward or do not take part.
enum class Role : std::uint8_t { outside, sender, receiver, forwards };

Role role_between_nodes(const Fabric& fabric, const Vertex& vertex) {
  if (vertex.node < 0) return Role::forwards;
  if (vertex.kind != VertexKind::nic) return Role::outside;
  return vertex.node < fabric.spec.nodes / 2 ? Role::sender : Role::receiver;
}

Role role_inside_node(const Fabric& fabric, const Vertex& vertex) {
  if (vertex.kind == VertexKind::gpu) return vertex.index < fabric.spec.node.gpus / 2 ? Role::sender : Role::receiver;
  const bool nvlink = fabric.spec.node.kind == NodeKind::nvswitch;
  return (vertex.kind == VertexKind::nvswitch) == nvlink ? Role::forwards : Role::outside;
}

constexpr std::size_t source = 0, sink = 1;

// Capacity between each two vertices of the flow problem: all senders are the source, all receivers the sink.
std::map<std::pair<std::size_t, std::size_t>, double> capacities(const Fabric& fabric) {
  const bool one_node = fabric.spec.nodes == 1;
  std::map<std::pair<std::size_t, std::size_t>, double> sums;
  auto place = [&](VertexId v) -> std::pair<Role, std::size_t> {
    const Vertex& vertex = fabric.graph[v];
    const Role role = one_node ? role_inside_node(fabric, vertex) : role_between_nodes(fabric, vertex);
    return {role, role == Role::sender ? source : role == Role::receiver ? sink : v + 2};
  };
  const LinkId first = one_node ? 0 : fabric.links_per_node * static_cast<LinkId>(fabric.spec.nodes);
  for (LinkId id = first; id < fabric.link_count(); ++id) {
    const auto [from_role, from] = place(fabric.source(id));
    const auto [to_role, to] = place(fabric.target(id));
    if (from_role == Role::outside || to_role == Role::outside || from == to || from == sink || to == source) continue;
    sums[{from, to}] += fabric.link(id).bytes_per_s;
  }
  return sums;
}

}  // namespace

double bisection_bytes_per_s(const Fabric& fabric) {
  FlowGraph flow(2);
  std::map<std::size_t, std::size_t> compact{{source, source}, {sink, sink}};  // vertices of the problem that have links
  auto vertex = [&](std::size_t v) {
    const auto [entry, fresh] = compact.try_emplace(v, num_vertices(flow));
    if (fresh) add_vertex(flow);
    return entry->second;
  };
  for (const auto& [ends, capacity] : capacities(fabric)) {
    const std::size_t from = vertex(ends.first), to = vertex(ends.second);
    const auto forward = add_edge(from, to, flow).first;
    const auto backward = add_edge(to, from, flow).first;
    flow[forward].capacity = std::llround(capacity);
    flow[forward].reverse = backward;
    flow[backward].reverse = forward;
  }
  return static_cast<double>(boost::push_relabel_max_flow(flow, source, sink, get(&FlowEdge::capacity, flow),
                                                          get(&FlowEdge::residual, flow), get(&FlowEdge::reverse, flow),
                                                          get(boost::vertex_index, flow)));
}

}  // namespace gridlock::topology
