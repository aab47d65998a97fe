// A folder of files for one test, and what loading a scenario in it says.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "sim/scenario/load.hpp"

namespace gridlock::scenario {

class ScenarioTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "gridlock-scenario-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    home_ = std::filesystem::current_path();
    std::filesystem::current_path(pattern);  // so that messages hold short relative names
    folder_ = pattern;
  }
  void TearDown() override {
    std::filesystem::current_path(home_);
    std::filesystem::remove_all(folder_);
  }

  void write(const std::string& name, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path("./" + name).parent_path());
    std::ofstream(name, std::ios::binary) << text;
  }

  // The rendered diagnostics of loading `text` as a.yaml; empty when it loads.
  std::string complaint(const std::string& text, const std::vector<std::string>& overrides = {}) {
    write("a.yaml", text);
    return complaint_of("a.yaml", overrides);
  }
  std::string complaint_of(const std::string& path, const std::vector<std::string>& overrides = {}) {
    try {
      load_scenario(path, overrides);
      return "";
    } catch (const InvalidScenario& e) {
      return e.what();
    }
  }
  Scenario load(const std::string& text, const std::vector<std::string>& overrides = {}) {
    write("a.yaml", text);
    return load_scenario("a.yaml", overrides);
  }

  // 16 GPUs, a small GPT; line numbers are used by the tests.
  static std::string good() {
    return "scenario: training_step\n"                                         // 1
           "cluster:\n"                                                        // 2
           "  nodes: 2\n"                                                      // 3
           "  node: hgx-h100\n"                                                // 4
           "  fabric: {kind: rail_fat_tree, nic: 400Gbps}\n"                   // 5
           "profile: h100-sxm\n"                                               // 6
           "model: {layers: 8, hidden: 1024, heads: 16, vocab: 51200}\n"       // 7
           "parallelism: {tensor: 4, pipeline: 2, data: 2, schedule: 1f1b}\n"  // 8
           "batch: {global: 16, micro: 1, sequence: 1024}\n";                  // 9
  }
  // good() with one occurrence of `from` replaced.
  static std::string with(const std::string& from, const std::string& to) {
    std::string text = good();
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  }

 private:
  std::filesystem::path home_, folder_;
};

}  // namespace gridlock::scenario
