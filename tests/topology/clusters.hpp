// Clusters for the tests of this folder: round figures, so that expectations can be worked out by hand.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "topology/error.hpp"
#include "topology/fabric.hpp"
#include "topology/router.hpp"

namespace gridlock::topology {

constexpr double gb = 1e9, us = 1e-6;

// 8 GPUs and 8 NICs; NVLink 400, PCIe 60, socket 40, NIC 50 GB/s wire.
inline NodeSpec hgx() {
  NodeSpec node;
  node.nvlink_bytes_per_s = 400 * gb;
  node.pcie_bytes_per_s = 60 * gb;
  node.socket_bytes_per_s = 40 * gb;
  node.nic_bytes_per_s = 50 * gb;
  return node;
}

inline NodeSpec pcie_box() {
  NodeSpec node = hgx();
  node.kind = NodeKind::pcie;
  node.nvlink_bytes_per_s = 0;
  return node;
}

inline ClusterSpec cluster(int nodes, FabricKind kind, RoutingKind routing = RoutingKind::adaptive) {
  ClusterSpec spec;
  spec.nodes = nodes;
  spec.node = hgx();
  spec.fabric.kind = kind;
  spec.fabric.routing = routing;
  return spec;
}

// Latencies of different sizes, so that a sum tells which links are in it: NVLink 1, PCIe 10, NIC 100, switch 1000 us.
inline LinkParameters parameters() {
  LinkParameters p;
  p.nvlink_latency_s = 1 * us;
  p.pcie_latency_s = 10 * us;
  p.nic_latency_s = 100 * us;
  p.switch_latency_s = 1000 * us;
  return p;
}

inline Fabric built(const ClusterSpec& spec, const std::vector<LinkFault>& faults = {}) {
  return build_fabric(spec, parameters(), faults);
}

inline std::vector<std::string> names(const Fabric& fabric, const Path& path) {
  std::vector<std::string> result;
  for (const LinkShare& link : path.links) result.push_back(fabric.link_name(link.link));
  return result;
}

inline const Link& link_named(const Fabric& fabric, const std::string& name) {
  for (LinkId id = 0; id < fabric.link_count(); ++id) {
    if (fabric.link_name(id) == name) return fabric.link(id);
  }
  throw std::out_of_range("no link " + name);
}

inline std::uint32_t count(const Fabric& fabric, VertexKind kind) {
  std::uint32_t n = 0;
  for (VertexId v = 0; v < num_vertices(fabric.graph); ++v) n += fabric.graph[v].kind == kind;
  return n;
}

inline std::uint32_t count(const Fabric& fabric, LinkKind kind) {
  std::uint32_t n = 0;
  for (LinkId id = 0; id < fabric.link_count(); ++id) n += fabric.link(id).kind == kind;
  return n;
}

// The SpecError that `action` throws; a test failure when it throws none.
template <class Action>
SpecError error_of(Action action) {
  try {
    action();
  } catch (const SpecError& error) {
    return error;
  }
  ADD_FAILURE() << "no SpecError";
  return SpecError("", "");
}

inline SpecError build_error(const ClusterSpec& spec, const std::vector<LinkFault>& faults = {}) {
  return error_of([&] { built(spec, faults); });
}

inline ::testing::AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "'" << text << "' does not contain '" << part << "'";
}

}  // namespace gridlock::topology
