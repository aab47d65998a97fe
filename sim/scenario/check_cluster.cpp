#include <fmt/format.h>

#include <set>

#include "sim/scenario/checks.hpp"
#include "sim/scenario/declarations.hpp"
#include "topology/builder.hpp"
#include "topology/error.hpp"
#include "topology/tree_plan.hpp"

namespace gridlock::scenario {
namespace {

using topology::FabricKind;
using topology::NodeKind;

void check_size(const Scenario& s, Diagnostics& out) {
  const auto gpus = static_cast<std::int64_t>(s.cluster.nodes) * s.cluster.node.gpus;
  if (static_cast<double>(gpus) <= most_gpus) return;
  out.error("too-large", s.places->at("cluster.nodes"),
            fmt::format("{} nodes of {} GPUs are {} GPUs", s.cluster.nodes, s.cluster.node.gpus, gpus),
            fmt::format("at most {} GPUs can be simulated: write at most {} nodes", static_cast<std::int64_t>(most_gpus),
                        static_cast<std::int64_t>(most_gpus) / s.cluster.node.gpus));
}

void check_node(const Scenario& s, Diagnostics& out) {
  const topology::NodeSpec& node = s.cluster.node;
  if (node.kind == NodeKind::nvswitch && node.nvlink_bytes_per_s <= 0) {
    out.error("missing-key", s.places->at("cluster.node"), "a node of kind nvswitch needs 'nvlink'",
              "nvlink: 450GBps (or kind: pcie)");
  }
  if (node.nics > 0 && node.gpus % node.nics != 0 && node.nics % node.gpus != 0) {
    out.error("not-divisible", s.places->at("cluster.node.nics"),
              fmt::format("{} NICs cannot be spread evenly over {} GPUs", node.nics, node.gpus),
              "one must be a multiple of the other");
  }
  const bool networked = s.cluster.nodes > 1;
  if (networked && node.nics == 0) {
    out.error("no-network", s.places->at("cluster.node.nics"), fmt::format("{} nodes without NICs cannot talk", s.cluster.nodes),
              "write nics: 8");
  }
  if (networked && s.cluster.fabric.kind == FabricKind::none) {
    out.error("no-network", s.places->at("cluster.fabric.kind"),
              fmt::format("{} nodes with fabric kind none cannot talk", s.cluster.nodes), "write kind: rail_fat_tree");
  }
}

void check_fabric(const Scenario& s, Diagnostics& out) {
  const bool custom = s.cluster.fabric.kind == FabricKind::custom;
  if (custom && s.cluster.fabric.edges.empty()) {
    out.error("missing-key", s.places->at("cluster.fabric.kind"), "a custom fabric needs 'edges'",
              "edges: [{from: node0.nic0, to: switch0, bandwidth: 400Gbps}, ...]");
  }
  if (!custom && !s.cluster.fabric.edges.empty()) {
    out.error("unused-key", s.places->at("cluster.fabric.edges"), "edges are only read with kind custom",
              "write kind: custom, or remove the edges");
  }
}

void check_placement(const Scenario& s, Diagnostics& out) {
  std::set<int> seen;
  for (const int node : s.cluster.placement.nodes) {
    const Mark mark = s.places->at("cluster.placement");
    if (node >= s.cluster.nodes) {
      out.error("out-of-range", mark, fmt::format("placement names node {}, but there are {} nodes", node, s.cluster.nodes),
                "nodes are counted from 0");
      return;
    }
    if (!seen.insert(node).second) {
      out.error("duplicate", mark, fmt::format("placement names node {} twice", node), "each node can be named once");
      return;
    }
  }
}

void check_faults(const Scenario& s, Diagnostics& out) {
  std::set<std::uint32_t> seen;
  const auto gpus = static_cast<std::uint32_t>(s.gpus());
  for (std::size_t i = 0; i < s.faults.slow.size(); ++i) {
    const std::uint32_t gpu = s.faults.slow[i].gpu;
    const Mark mark = s.places->at(fmt::format("faults.slow.{}.gpu", i));
    if (gpu >= gpus) {
      out.error("out-of-range", mark, fmt::format("there is no GPU {}", gpu),
                fmt::format("the cluster has GPUs 0 to {}", gpus - 1));
    } else if (!seen.insert(gpu).second) {
      out.error("duplicate", mark, fmt::format("GPU {} is slowed twice", gpu), "write one factor");
    }
  }
}

// Where the file does not say: two tiers if they hold all nodes, else three. What three cannot hold either, and every other
// mistake, is reported when the fabric is built.
void choose_tiers(Scenario& s) {
  topology::ClusterSpec& cluster = s.cluster;
  const bool tree = cluster.fabric.kind != FabricKind::none && cluster.fabric.kind != FabricKind::custom;
  if (!tree || cluster.node.nics == 0 || s.places->has("cluster.fabric.tiers")) return;
  const topology::LeafLayout layout = cluster.fabric.kind == FabricKind::fat_tree ? topology::fat_tree_layout(cluster.node)
                                      : cluster.fabric.kind == FabricKind::rail_only
                                          ? topology::rail_only_layout(cluster.node)
                                          : topology::rail_fat_tree_layout(cluster.node);
  cluster.fabric.tiers = 2;
  try {
    topology::plan_tree(cluster, layout);
  } catch (const topology::SpecError&) {
    cluster.fabric.tiers = 3;
  }
}

void check_profile(const Scenario& s, Diagnostics& out) {
  if (s.profile.gpu != s.cluster.node.gpu.name) {
    out.warning("profile-mismatch", s.places->at("profile"),
                fmt::format("profile '{}' was fitted for GPU '{}', the nodes have '{}'", s.profile.name, s.profile.gpu,
                            s.cluster.node.gpu.name));
  }
  const model::Uncertainty& u = s.profile.uncertainty;
  for (std::size_t i = 0; i < u.correlations.size(); ++i) {
    for (const std::string& name : {u.correlations[i].a, u.correlations[i].b})
      if (!u.standard_errors.contains(name))
        out.error("unknown-name", s.places->at(fmt::format("profile.correlations.{}", i)),
                  fmt::format("'{}' has no standard error to be correlated", name), "list it in standard_errors");
  }
}

}  // namespace

void check_cluster(Scenario& s, Diagnostics& out) {
  if (s.cluster.fabric.nic_bytes_per_s == 0) s.cluster.fabric.nic_bytes_per_s = s.cluster.node.nic_bytes_per_s;
  // One node alone needs no network, whatever the default kind is.
  if (s.cluster.nodes == 1 && !s.places->has("cluster.fabric")) s.cluster.fabric.kind = FabricKind::none;
  const std::size_t before = out.error_count();
  check_size(s, out);
  if (out.error_count() > before) return;  // products of these numbers overflow
  check_node(s, out);
  check_fabric(s, out);
  check_placement(s, out);
  check_faults(s, out);
  choose_tiers(s);
  check_profile(s, out);
}

}  // namespace gridlock::scenario
