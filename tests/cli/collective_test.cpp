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

// What people paste: ROCm's header, two ranks in one line, another locale, 0 and nan, a cut end. The good rows are compared, the
// others are named.
TEST(Collective, BesideADamagedLog) {
  const std::string log = temporary("damaged");
  write_text(log,
             "[1,0]<stdout>:# Collective test starting: all_reduce_perf\n"
             "rccl-tests: Version develop:1a2b3c\n"
             "#  size  count  type  redop  root  time  algbw  busbw #wrong  time  algbw  busbw #wrong\n"
             "[1,0]<stdout>: 1024 256 float sum -1 17,25 0,06 0,10 0 16,75 0,06 0,11 N/A\n"
             "2048 512 float sum -1 17.2 4096 1024 float sum -1 17.5 0.23 0.41 0 16.5 0.25 0.43 0\n"
             "8192 2048 float sum -1 nan nan nan 0 0.00 0.00 0.00 0\n"
             "16384 4096 float sum -1 18.1 0.91 1.58 0 17.4 0.94 1.65 0\n"
             "32768 8192 float sum -1 19");
  const Outcome outcome = gridlock("collective all-reduce --cluster hgx-h100 --json --measured " + log);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const nlohmann::json json = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(json["measured"].size(), 3u);
  EXPECT_DOUBLE_EQ(json["measured"][0]["measured_s"], 16.75e-6);
  EXPECT_DOUBLE_EQ(json["measured"][1]["measured_s"], 16.5e-6);
  EXPECT_DOUBLE_EQ(json["measured"][2]["measured_s"], 17.4e-6);
  EXPECT_EQ(json["warnings"],
            (nlohmann::json{"measured: line 5: cut short", "measured: line 6: no time above 0", "measured: line 8: cut short"}));
  write_text(log, "no table here\n");
  const Outcome none = gridlock("collective all-reduce --cluster hgx-h100 --measured " + log);
  EXPECT_NE(none.exit_code, 0);
  EXPECT_NE(none.err.find("no row of an nccl-tests table"), std::string::npos) << none.err;
  std::remove(log.c_str());
}

TEST(Collective, SeveralAtOnce) {
  const std::string command =
      "collective all-gather -b 64M -e 128M -f 2 --cluster hgx-h100 --nodes 2 --concurrent all-to-all:size=32M --concurrent "
      "send-recv:ranks=0,8";
  const nlohmann::json json = nlohmann::json::parse(gridlock(command + " --json").out);
  EXPECT_EQ(json["schema"], "gridlock.concurrent/1");
  ASSERT_EQ(json["results"].size(), 2u);
  for (const nlohmann::json& fight : json["results"]) {
    ASSERT_EQ(fight["collectives"].size(), 3u);
    for (const nlohmann::json& one : fight["collectives"]) {
      EXPECT_GE(one["together_s"].get<double>(), one["alone_s"].get<double>() * (1 - 1e-9));
      EXPECT_DOUBLE_EQ(one["slowdown"].get<double>(), one["together_s"].get<double>() / one["alone_s"].get<double>());
    }
    EXPECT_EQ(fight["collectives"][1]["size"], 32 << 20);
    EXPECT_FALSE(fight["shared_links"].empty());
  }
  EXPECT_EQ(json["results"][1]["collectives"][2]["size"], 128 << 20);
  EXPECT_NE(gridlock(command).out.find("links they share"), std::string::npos);
}

TEST(Collective, TwoLevelsListTheirPhases) {
  const nlohmann::json json =
      nlohmann::json::parse(gridlock("collective all-reduce -b 64M --cluster hgx-h100 --nodes 2 --two-level --json").out);
  const nlohmann::json& row = json["results"][0];
  ASSERT_EQ(row["phases"].size(), 3u);
  double sum = 0;
  for (const nlohmann::json& phase : row["phases"]) sum += phase["time_s"].get<double>();
  EXPECT_NEAR(sum, row["time_s"].get<double>(), 1e-12);
  EXPECT_EQ(row["phases"][1]["where"], "across nodes");
  EXPECT_FALSE(row.contains("algorithm"));
}

TEST(Collective, ListsOfAlgorithms) {
  const auto algorithm = [](const std::string& options) {
    return nlohmann::json::parse(
               gridlock("collective all-reduce -b 1G --cluster hgx-h100 --json " + options).out)["results"][0]["algorithm"]
        .get<std::string>();
  };
  EXPECT_EQ(algorithm(""), "NVLS");
  EXPECT_NE(algorithm("--algo ^nvls"), "NVLS");
  EXPECT_EQ(algorithm("--set collectives.algo=allreduce:tree"), "Tree");
  EXPECT_EQ(algorithm("--set collectives.algo=tree --algo ring"), "Ring");
  EXPECT_EQ(gridlock("collective all-reduce --cluster hgx-h100 --set collectives.algo=rang").exit_code, 3);
  EXPECT_EQ(gridlock("run scenarios/hello-8xh100.yaml --set collectives.algo=pat").exit_code, 3);
}

TEST(Collective, UnevenAllToAll) {
  const std::string matrix = temporary("matrix");
  write_text(matrix, "# weights\n0 1 1\n1 0 1\n4 1 0\n");
  const std::string command = "collective all-to-all -b 96M --cluster hgx-h100 --ranks 0-2 --json";
  const auto seconds = [&](const std::string& options) {
    return nlohmann::json::parse(gridlock(command + options).out)["results"][0]["time_s"].get<double>();
  };
  EXPECT_GT(seconds(" --matrix " + matrix), seconds(""));
  EXPECT_GT(seconds(" --imbalance 2"), seconds(" --imbalance 1.5"));
  write_text(matrix, "0 1\n1 x\n");
  expect_usage("all-to-all --cluster hgx-h100 --ranks 0,1 --matrix " + matrix, "line 2: 'x' is not a number");
  std::remove(matrix.c_str());
  EXPECT_EQ(gridlock("collective all-to-all --cluster hgx-h100 --matrix no/such").exit_code, 4);
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
  expect_usage("all-reduce --cluster hgx-h100 --two-level", "at least two nodes");
  expect_usage("broadcast --cluster hgx-h100 --nodes 2 --two-level", "has no two-level form");
  expect_usage("all-reduce --cluster hgx-h100 --imbalance 2", "only a flat all-to-all can be uneven");
  expect_usage("all-to-all --cluster hgx-h100 --imbalance 9", "1 to 8 times the mean");
  expect_usage("all-reduce --cluster hgx-h100 --concurrent all-redu", "did you mean all-reduce?");
  expect_usage("all-reduce --cluster hgx-h100 --concurrent all-reduce:rank=3", "did you mean ranks?");
  expect_usage("all-reduce --cluster hgx-h100 --concurrent all-reduce --explain", "leave --concurrent out");
  expect_usage("all-to-all -b 1K --cluster hgx-h100 --nodes 1024", "name fewer with --ranks");
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
