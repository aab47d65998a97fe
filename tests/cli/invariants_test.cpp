// The JSON of every shipped scenario keeps the contract of docs/reference/result.md.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>

#include "tests/cli/program.hpp"

namespace gridlock::test {
namespace {

double sum(const nlohmann::json& object) {
  double total = 0;
  for (const auto& [key, value] : object.items()) total += value.get<double>();
  return total;
}

void expect_adds_up(double parts, double whole, const char* what) { EXPECT_NEAR(parts, whole, 1e-9 * whole) << what; }

void check_result(const nlohmann::json& r) {
  ASSERT_FALSE(r.contains("failed")) << r["failed"];
  EXPECT_EQ(r["schema"], "gridlock.result/1");
  const double step = r["step"]["time_s"];
  ASSERT_GT(step, 0);
  expect_adds_up(sum(r["breakdown"]), step, "breakdown");

  double path = 0, shares = 0;
  for (const auto& piece : r["critical_path"]) {
    path += piece["seconds"].get<double>();
    shares += piece["share"].get<double>();
    EXPECT_NE(piece["category"], "straggler_s");
    EXPECT_NE(piece["category"], "bubble_s");
  }
  expect_adds_up(path, step, "critical path");
  expect_adds_up(shares, 1, "shares of the critical path");

  std::uint64_t ranks = 0;
  for (const auto& k : r["rank_classes"]) {
    ranks += k["count"].get<std::uint64_t>();
    expect_adds_up(sum(k["breakdown"]), step, "breakdown of a rank class");
    EXPECT_LE(k["finish_s"].get<double>(), step * (1 + 1e-9));
    const auto& b = k["breakdown"];
    const double kernels = b["compute_s"].get<double>() + b["memory_bound_s"].get<double>() + b["host_s"].get<double>();
    double waits = 0;
    for (const auto& wait : k["waits"]) waits += wait["seconds"].get<double>();
    expect_adds_up(kernels + waits, step, "kernels and waits of a rank class");
  }
  EXPECT_EQ(ranks, r["cluster"]["gpus"].get<std::uint64_t>());

  for (const auto& link : r["links"]) {
    EXPECT_GE(link["mean_utilization"].get<double>(), 0);
    EXPECT_LE(link["mean_utilization"].get<double>(), link["peak_utilization"].get<double>() * (1 + 1e-6)) << link["name"];
    EXPECT_LE(link["peak_utilization"].get<double>(), 1 + 1e-6);
  }
  const auto& m = r["memory"];
  expect_adds_up(m["weights_bytes"].get<double>() + m["gradients_bytes"].get<double>() + m["optimizer_bytes"].get<double>() +
                     m["activations_bytes"].get<double>() + m["buffers_bytes"].get<double>(),
                 m["peak_bytes"], "memory");
  EXPECT_TRUE(m["fits"].get<bool>());
  for (const char* ratio : {"mfu_causal", "mfu_full", "hfu"}) {
    EXPECT_GT(r["step"][ratio].get<double>(), 0);
    EXPECT_LT(r["step"][ratio].get<double>(), 1);
  }
  for (const auto& c : r["communicators"]) {
    EXPECT_GT(c["calls"].get<std::uint64_t>(), 0);
    EXPECT_LE(c["exposed_s"].get<double>(), c["time_s"].get<double>() * (1 + 1e-9)) << c["label"];
  }
}

std::vector<std::string> shipped() {
  std::vector<std::string> files;
  for (const char* folder : {"scenarios", "scenarios/published"})
    for (const auto& entry : std::filesystem::directory_iterator(std::string(GRIDLOCK_SOURCE_DIR "/") + folder)) {
      const std::string name = entry.path().string();
      if (entry.path().extension() == ".yaml") files.push_back(name);
    }
  std::sort(files.begin(), files.end());
  return files;
}

class Shipped : public testing::TestWithParam<std::string> {};
TEST_P(Shipped, ResultKeepsItsInvariants) { check_result(run_json(GetParam())); }
INSTANTIATE_TEST_SUITE_P(Scenarios, Shipped, testing::ValuesIn(shipped()), [](const auto& scenario) {
  std::string name = std::filesystem::path(scenario.param).stem().string();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

// Waits were once put to the last call of a block instead of the one that was running.
TEST(Result, FoldedAndUnfoldedNameTheSameCalls) {
  const std::string file = temporary("tp8.yaml");
  write_text(file,
             "scenario: training_step\ncluster: {nodes: 1, node: hgx-h100}\nprofile: h100-sxm\nmodel: llama3.1-8b\n"
             "parallelism: {tensor: 8, sequence_parallel: true}\nbatch: {global: 4, sequence: 4096}\noptimizer: {zero: 1}\n");
  const auto exposed = [&](const char* options) {
    std::map<std::string, double> by_label;
    for (const auto& c : run_json(file + options)["communicators"]) by_label[c["label"]] += c["exposed_s"].get<double>();
    return by_label;
  };
  const auto folded = exposed(""), full = exposed(" --no-fold");
  std::remove(file.c_str());
  ASSERT_EQ(folded.size(), full.size());
  for (const auto& [label, seconds] : full) EXPECT_NEAR(folded.at(label), seconds, 1e-9) << label;
}

// A finding's chain of full links was once followed over four classes of links only: with 28 classes of NICs its end was not
// reached, and no bandwidth at all seemed to help less than twice as much. The chain ends at the channels.
TEST(Why, ChainsOfFullLinksAreFollowedToTheirEnd) {
  const std::string file = temporary("split.yaml");
  write_text(file, R"(scenario: training_step
cluster: {nodes: 256, node: hgx-h100, fabric: {kind: rail_fat_tree, nic: 400Gbps, oversubscription: {leaf: 2}}}
profile: h100-sxm
model: llama3.1-8b
parallelism: {tensor: 8, pipeline: 4, sequence_parallel: true}
batch: {global: 512, micro: 1, sequence: 2048}
optimizer: {zero: 1}
)");
  const nlohmann::json result = run_json("--why " + file);
  ASSERT_FALSE(result.contains("failed")) << result["failed"];
  bool found = false;
  for (const auto& finding : result["why"]["findings"]) {
    if (finding["operation"] != "dp.reduce_scatter" || finding["remedies"].empty()) continue;
    found = true;
    const auto& last = finding["remedies"].back();
    EXPECT_TRUE(last["channels"].get<bool>()) << last["text"];
    EXPECT_LT(last["left_gpu_seconds"].get<double>(), 0.2 * finding["gpu_seconds"].get<double>());
  }
  EXPECT_TRUE(found);
  std::remove(file.c_str());
}

TEST(Result, IsReproducibleToTheByte) {
  const std::string command = "run --json --reproducible scenarios/quick-64xh100.yaml";
  const Outcome first = gridlock(command), second = gridlock(command);
  EXPECT_EQ(first.exit_code, 0);
  EXPECT_EQ(first.out, second.out);
}

}  // namespace
}  // namespace gridlock::test
