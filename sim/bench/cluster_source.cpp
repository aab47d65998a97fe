#include "sim/bench/cluster_source.hpp"

#include <fmt/format.h>

#include "sim/scenario/catalogue.hpp"
#include "sim/scenario/load.hpp"

namespace gridlock::bench {
namespace {

constexpr const char* text_name = "--cluster";  // what mistakes in the generated text are reported under

bool is_file(const std::string& name) {
  return name.find('/') != std::string::npos || name.ends_with(".yaml") || name.ends_with(".yml") || name.ends_with(".json");
}

scenario::SourcePtr text_source(std::string text) {
  return std::make_shared<const scenario::Source>(scenario::Source{text_name, std::move(text)});
}

// The GPU that a node of the catalogue has: by its name profiles are filed.
std::string gpu_of(const std::string& node) {
  const scenario::SourcePtr source = text_source(node + "\n");
  scenario::Node reference;
  reference.kind = scenario::Node::Kind::scalar;
  reference.text = node;
  reference.mark = {source, 1, 1, static_cast<int>(node.size())};
  const scenario::Node file = scenario::Catalogue().load(reference, "hardware");
  const scenario::Entry* gpu = file.find("gpu");
  if (gpu && gpu->value.is_scalar()) return gpu->value.text;
  throw scenario::InvalidScenario(scenario::diagnose(scenario::Severity::error, "unknown-reference", reference.mark,
                                                     fmt::format("'{}' is not a node", node),
                                                     "name a node such as hgx-h100, or a scenario file"));
}

}  // namespace

scenario::Scenario load_cluster(const ClusterName& cluster, const std::vector<std::string>& overrides) {
  std::vector<std::string> changes;
  if (is_file(cluster.name)) {
    if (cluster.nodes) changes.push_back(fmt::format("cluster.nodes={}", *cluster.nodes));
    if (!cluster.profile.empty()) changes.push_back("profile=" + cluster.profile);
    if (!cluster.fabric_kind.empty()) changes.push_back("cluster.fabric.kind=" + cluster.fabric_kind);
    changes.insert(changes.end(), overrides.begin(), overrides.end());
    return scenario::load_cluster(cluster.name, changes);
  }
  const int nodes = cluster.nodes.value_or(1);
  const std::string profile = cluster.profile.empty() ? gpu_of(cluster.name) : cluster.profile;
  std::string text = fmt::format("cluster:\n  nodes: {}\n  node: {}\n", nodes, cluster.name);
  if (nodes > 1)
    text += fmt::format("  fabric: {{kind: {}}}\n", cluster.fabric_kind.empty() ? "rail_fat_tree" : cluster.fabric_kind);
  text += fmt::format("profile: {}\n", profile);
  return scenario::load_cluster(text_source(std::move(text)), overrides);
}

}  // namespace gridlock::bench
