// Scenarios for tests, as text with the parts that tests vary; loaded through the same door as a user's.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "sim/scenario/load.hpp"

namespace gridlock::engine::test {

// 64 GPUs and a model so small that a step without folding takes a second.
struct ScenarioText {
  int nodes = 8;
  std::string fabric = "kind: rail_fat_tree, nic: 400Gbps";
  std::string placement = "packed";
  std::string model = "layers: 4, hidden: 1024, heads: 16, vocab: 51200";
  std::string parallelism = "tensor: 4, pipeline: 2, data: 8, schedule: 1f1b";
  std::string batch = "global: 32, micro: 1, sequence: 1024";
  std::string optimizer = "zero: 0";
  std::string recompute = "none";
  std::string faults;
  int seed = 1;

  std::string yaml() const {
    std::string text = "scenario: training_step\ncluster:\n  nodes: " + std::to_string(nodes) +
                       "\n  node: hgx-h100\n  fabric: {" + fabric + "}\n  placement: " + placement +
                       "\nprofile: h100-sxm\nmodel: {" + model + "}\nparallelism: {" + parallelism + "}\nbatch: {" + batch +
                       "}\noptimizer: {" + optimizer + "}\nrecompute: " + recompute + "\nseed: " + std::to_string(seed) + "\n";
    if (!faults.empty()) text += "faults: {" + faults + "}\n";
    return text;
  }
};

inline scenario::Scenario load_text(const std::string& yaml, const std::vector<std::string>& overrides = {}) {
  std::string path = (std::filesystem::temp_directory_path() / "gridlock-engine-XXXXXX").string();
  const int file = mkstemp(path.data());
  if (file < 0) throw std::runtime_error("no temporary file");
  ::close(file);
  std::ofstream(path, std::ios::binary) << yaml;
  try {
    scenario::Scenario scenario = scenario::load_scenario(path, overrides);
    std::filesystem::remove(path);
    return scenario;
  } catch (...) {
    std::filesystem::remove(path);
    throw;
  }
}

inline scenario::Scenario load(const ScenarioText& text) { return load_text(text.yaml()); }

}  // namespace gridlock::engine::test
