// gridlock collective and gridlock validate, as a user runs them.

#include <gtest/gtest.h>

#include "tests/cli/program.hpp"

namespace gridlock::test {
namespace {

void expect_usage(const std::string& arguments, const std::string& words) {
  const Outcome outcome = gridlock("collective " + arguments);
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
}

TEST(Collective, PrintsWhatNcclTestsPrints) {
  const Outcome outcome = gridlock("collective all-reduce -b 8 -e 8G -f 32 --cluster hgx-h100 --explain");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, read_text(GRIDLOCK_SOURCE_DIR "/tests/golden/collective_h100.txt"));
}

TEST(Collective, JsonHasTheKeysOfNcclTests) {
  const nlohmann::json json =
      nlohmann::json::parse(gridlock("collective all_gather_perf -b 1M -e 4M -f 2 --cluster hgx-h100 --nodes 2 --json").out);
  EXPECT_EQ(json["schema"], "gridlock.collective/1");
  ASSERT_EQ(json["results"].size(), 3u);
  const nlohmann::json& row = json["results"][0];
  EXPECT_EQ(row["size"], 1 << 20);
  EXPECT_EQ(row["count"], (1 << 20) / 4 / 16);
  EXPECT_NEAR(row["in_place"]["time"].get<double>(), row["time_s"].get<double>() * 1e6, 1e-9);
  // bus bandwidth of an all-gather: size / time * 15/16
  EXPECT_NEAR(row["out_of_place"]["bus_bw"].get<double>(), (1 << 20) / row["time_s"].get<double>() * 15 / 16 / 1e9, 1e-9);
}

TEST(Collective, BesideAMeasuredLog) {
  const std::string log = temporary("log");
  write_text(log, "# all_reduce_perf\n 1048576 262144 float sum -1 27.37 38.31 67.04 0 26.93 38.94 68.14 0\n broken 1 2\n");
  const nlohmann::json json =
      nlohmann::json::parse(gridlock("collective all-reduce --cluster hgx-h100 --json --measured " + log).out);
  ASSERT_EQ(json["measured"].size(), 1u);
  EXPECT_DOUBLE_EQ(json["measured"][0]["measured_s"], 26.93e-6);
  EXPECT_NE(gridlock("collective all-gather --cluster hgx-h100 --measured " + log).err.find("the log is of all-reduce"),
            std::string::npos);
  std::remove(log.c_str());
}

TEST(Collective, MistakesSayWhatToDo) {
  expect_usage("all-redu --cluster hgx-h100", "did you mean all-reduce?");
  expect_usage("all-reduce --cluster hgx-h100 -b 3Q", "unit \"Q\" of size \"3Q\" is not K, M or G");
  expect_usage("all-reduce --cluster hgx-h100 -b 2G -e 1G", "above the largest");
  expect_usage("all-reduce --cluster hgx-h100 --ranks 0-8", "there is no rank 8: the cluster has ranks 0 to 7");
  expect_usage("all-reduce --cluster hgx-h100 --ranks 0,0", "rank 0 is named twice");
  expect_usage("all-reduce --cluster hgx-h100 --ranks 3-x", "'3-x' is not a rank or a range");
  expect_usage("all-reduce --cluster hgx-h100 --ranks 3", "at least two ranks");
  expect_usage("all-reduce --cluster hgx-h100 --algo rink", "did you mean Ring?");
  expect_usage("all-reduce --cluster hgx-h100 --algo nvlstree", "possible: NVLS with Simple");
  expect_usage("all-to-all --cluster hgx-h100 --algo ring", "possible: P2P with Simple");
  EXPECT_EQ(gridlock("collective all-reduce --cluster hgx-h10").exit_code, 3);
  EXPECT_EQ(gridlock("collective all-reduce --cluster no/such.yaml").exit_code, 4);
  EXPECT_EQ(gridlock("collective all-reduce --cluster hgx-h100 --measured no/such").exit_code, 4);
}

TEST(Validate, CollectivesFailAboveTheErrorAllowed) {
  EXPECT_EQ(gridlock("validate collectives --max-error 0.0001").exit_code, 1);
  const Outcome outcome = gridlock("validate collectives --json --max-error 0.5");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const nlohmann::json json = nlohmann::json::parse(outcome.out);
  EXPECT_TRUE(json["left_out"].empty());
  for (const nlohmann::json& row : json["rows"])
    EXPECT_NEAR(row["error"].get<double>(), row["predicted_s"].get<double>() / row["measured_s"].get<double>() - 1, 1e-12);
}

TEST(Validate, TrainingRunsEveryPublishedScenario) {
  const Outcome outcome = gridlock("validate training --json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const nlohmann::json json = nlohmann::json::parse(outcome.out);
  EXPECT_GE(json["rows"].size(), 13u);
  EXPECT_TRUE(json["left_out"].empty());
  for (const nlohmann::json& source : json["summary"]) EXPECT_LT(source["mean_abs_error"], 0.15) << source["source"];
}

TEST(Validate, TrainingRowsBecomeScenarios) {
  const std::string rows = temporary("rows.yaml");
  write_text(rows, R"(rows:
- id: small_1
  cluster: hgx-a100
  profile: a100-sxm
  model: {name: GPT, layers: 4, hidden: 1024, heads: 16, vocab: 51200, seq: 1024}
  hardware: {n_gpus: 8, gpus_per_node: 8}
  parallel: {tp: 2, pp: 1, cp: 1, ep: null, dp: 4, vpp: 1, zero: 1, sp: true, recompute: selective}
  micro_batch: 1
  global_batch: 8
  precision: bf16
  measured: {tokens_per_s_per_gpu: 10240}
- id: small_2
  cluster: hgx-a100
  profile: a100-sxm
  model: {name: MoE, layers: 4, hidden: 1024, heads: 16, vocab: 51200, seq: 1024, experts: 8}
  hardware: {n_gpus: 8}
  parallel: {tp: 2}
  global_batch: 8
  measured: {iter_time_s: 1}
)");
  const nlohmann::json json = nlohmann::json::parse(gridlock("validate training --json --rows " + rows).out);
  std::remove(rows.c_str());
  ASSERT_EQ(json["rows"].size(), 1u);
  // 8 sequences of 1,024 tokens at 10,240 tokens/s on each of 8 GPUs
  EXPECT_NEAR(json["rows"][0]["measured_s"].get<double>(), 8 * 1024 / (10240.0 * 8), 1e-9);
  EXPECT_EQ(json["left_out"], nlohmann::json::array({"small_2: mixture of experts"}));
}

}  // namespace
}  // namespace gridlock::test
