#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "sim/cli/calibrate_commands.hpp"
#include "sim/scenario/catalogue.hpp"
#include "sim/scenario/declarations.hpp"
#include "sim/scenario/load.hpp"
#include "sim/scenario/reader.hpp"
#include "sim/scenario/references.hpp"
#include "sim/scenario/yaml.hpp"

namespace gridlock::cli {

namespace fs = std::filesystem;

CalibrationFiles calibration_files(const std::string& output) {
  const fs::path path(output);
  const std::string extension = path.extension().string();
  if (extension != ".yaml" && extension != ".yml") throw UsageError(fmt::format("{}: a profile is a .yaml file", output));
  const std::string stem = (path.parent_path() / path.stem()).string();
  return {output, stem + ".node.yaml", stem + ".points.jsonl", stem + ".verify.jsonl", path.stem().string()};
}

namespace {

// As `--set KEY=NAME` would: a name of the catalogue, or a path from the current directory.
template <typename Value>
Value load(const std::string& name, const std::string& key) {
  const auto source = std::make_shared<const scenario::Source>(scenario::Source{std::string(scenario::override_source), name});
  scenario::Node node;
  node.kind = scenario::Node::Kind::scalar;
  node.text = name;
  node.mark = {source, 1, 1, static_cast<int>(name.size())};
  scenario::Catalogue catalogue;
  scenario::Diagnostics found;
  scenario::resolve_references(node, key, catalogue, found);
  found.throw_if_errors();
  Value value;
  scenario::read_map(node, node.mark, key, found, [&](scenario::Fields& f) { scenario::describe(f, value); });
  found.throw_if_errors();
  return value;
}

}  // namespace

model::Profile load_profile(const std::string& name) { return load<model::Profile>(name, "profile"); }
topology::GpuSpec load_gpu(const std::string& name) { return load<topology::GpuSpec>(name, "cluster.node.gpu"); }

topology::ClusterSpec load_machine(const std::string& cluster, const std::string& preset) {
  const bool file = cluster.find('/') != std::string::npos || cluster.ends_with(".yaml") || cluster.ends_with(".yml");
  if (file) {
    const scenario::SourcePtr source = scenario::read_source(cluster);
    const scenario::Node root = scenario::parse_yaml(source);
    if (root.find("cluster") != nullptr || root.find("base") != nullptr)
      return scenario::load_cluster(cluster, {profile_override(preset)}).cluster;
  }
  const std::string node = nlohmann::json(file ? fs::absolute(cluster).string() : cluster).dump();
  const std::string text = fmt::format("cluster: {{nodes: 1, node: {}}}\nprofile: {}\n", node, nlohmann::json(preset).dump());
  return scenario::load_cluster(std::make_shared<const scenario::Source>(scenario::Source{"--cluster", text})).cluster;
}

}  // namespace gridlock::cli
