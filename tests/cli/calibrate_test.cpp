// gridlock calibrate as a user meets it. Nothing is measured here: points come from a file.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "tests/cli/program.hpp"

namespace gridlock::test {
namespace {

// Products of a host of 100 GFLOP/s that packs at 20 GB/s, writes at 40 GB/s and starts in 2 us; streams of 30 GB/s. `slower`: by
// this factor for all products.
std::string points(double slower = 1) {
  std::string text =
      R"({"schema":"gridlock.points/1","provenance":{"device":"test CPU","threads":"2","memory_bytes":"8000000000"}})";
  const auto add = [&](double m, double n, double k) {
    const double t = slower * (2e-6 + 2 * m * n * k / 100e9 + 4 * (m * k + k * n) / 20e9 + 4 * m * n / 40e9);
    text += "\n" + nlohmann::json{{"benchmark", "gemm"},
                                  {"labels", {{"dtype", "fp32"}}},
                                  {"numbers", {{"m", m}, {"n", n}, {"k", k}, {"batch", 1}}},
                                  {"seconds", {t * (1 + 0.01 * std::sin(m + 3 * n + 7 * k)), 2 * t}}}
                       .dump();
  };
  for (const double m : {16, 64, 256, 1024})
    for (const double n : {16, 100, 700, 2000})
      for (const double k : {16, 128, 900}) add(m, n, k);
  for (const double mb : {64, 128, 256})
    text +=
        "\n" + nlohmann::json{{"benchmark", "copy"}, {"numbers", {{"bytes", mb * 1e6}}}, {"seconds", {mb * 1e6 / 30e9}}}.dump();
  return text + "\n";
}

class Calibrate : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = temporary("calibrate");
    std::filesystem::create_directory(folder_);
    write_text(folder_ + "/measured.jsonl", points());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  Outcome calibrate(const std::string& more = "") {
    return gridlock("calibrate --device cpu --points " + folder_ + "/measured.jsonl -o " + folder_ + "/host.yaml " + more);
  }
  std::string folder_;
};

// The loop but for the measuring: fit, write, read, simulate. 1024^3 takes 2 us + 21.475 ms + 0.419 ms + 0.105 ms = 22.0 ms.
TEST_F(Calibrate, TheProfileItWritesIsUsedByARun) {
  const Outcome fitted = calibrate("--json");
  ASSERT_EQ(fitted.exit_code, 0) << fitted.err;
  const auto json = nlohmann::json::parse(fitted.out);
  EXPECT_LT(json["accuracy"][0]["after"]["median"], 0.02);
  const auto run = run_json("scenarios/matmul/gpu.yaml --profile " + folder_ +
                            "/host.yaml --set precision=fp32 --set cluster.node=" + folder_ + "/host.node.yaml");
  ASSERT_TRUE(run.contains("products")) << run;
  EXPECT_NEAR(run["products"][1]["time_s"].get<double>(), 22.0e-3, 0.02 * 22.0e-3);
  EXPECT_GT(run["products"][1]["time_s_stderr"].get<double>(), 0);
  EXPECT_LT(run["products"][1]["time_s_stderr"].get<double>(), 0.02 * 22.0e-3);
}

// Points like those that it was fitted to are met; a machine twice as slow is not.
TEST_F(Calibrate, TheFitIsHeldAgainstOtherPoints) {
  EXPECT_EQ(calibrate("--against " + folder_ + "/measured.jsonl").exit_code, 0);
  write_text(folder_ + "/slow.jsonl", points(2));
  const Outcome bad = calibrate("--overwrite --against " + folder_ + "/slow.jsonl");
  EXPECT_EQ(bad.exit_code, 1) << bad.err;
  EXPECT_NE(bad.out.find("median error"), std::string::npos);
}

TEST_F(Calibrate, NothingIsOverwrittenUnasked) {
  ASSERT_EQ(calibrate().exit_code, 0);
  const Outcome again = calibrate();
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_NE(again.err.find("--overwrite"), std::string::npos);
  EXPECT_EQ(calibrate("--overwrite").exit_code, 0);
}

TEST_F(Calibrate, DiffShowsWhatChanged) {
  ASSERT_EQ(calibrate().exit_code, 0);
  const Outcome same = gridlock("calibrate --diff h100-sxm h100-sxm");
  EXPECT_EQ(same.exit_code, 0);
  EXPECT_NE(same.out.find("say the same"), std::string::npos);
  const Outcome other = gridlock("calibrate --diff cpu " + folder_ + "/host.yaml");
  EXPECT_NE(other.out.find("gemm.launch"), std::string::npos) << other.out;
}

TEST_F(Calibrate, MistakesAreSaid) {
  const auto fails = [](const std::string& arguments, int code, const std::string& message) {
    const Outcome outcome = gridlock("calibrate " + arguments);
    EXPECT_EQ(outcome.exit_code, code) << arguments << outcome.err;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
  };
  fails("", 2, "--device cpu");
  fails("--device cpu", 2, "-o my-cpu.yaml");
  fails("--device tpu -o x.yaml", 2, "tpu");
  fails("--device cpu -o x.txt", 2, ".yaml");
  fails("--device cpu --points /nonexistent -o /tmp/never.yaml", 4, "/nonexistent");
  fails("--device cuda -o /tmp/never.yaml", 2, "--preset");
  fails("--device cpu --blas /nonexistent.so -o /tmp/gridlock-never.yaml", 4, "/nonexistent.so");
  fails("--diff h100-sxm no-such", 3, "no-such");
  write_text(folder_ + "/few.jsonl", points().substr(0, points().find('\n') + 1));
  fails("--device cpu --points " + folder_ + "/few.jsonl -o " + folder_ + "/few.yaml", 4, "cannot be fitted");
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/few.yaml"));
  // Before minutes of measuring, and before anything is written.
  fails("--device cpu -o " + folder_ + "/late.yaml --html /nonexistent/report.html", 4, "no folder /nonexistent");
  fails("--device cpu -o " + folder_ + "/late.yaml --against /nonexistent.jsonl", 4, "/nonexistent.jsonl");
  fails("--device cpu -o /nonexistent/late.yaml", 4, "no folder /nonexistent");
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/late.yaml"));
}

TEST_F(Calibrate, LogsAndTopologiesAreImported) {
  write_text(folder_ + "/topo.txt", "\tGPU0\tGPU1\tCPU Affinity\nGPU0\tX\tNV18\t0-3\nGPU1\tNV18\tX\t0-3\n");
  const Outcome node = gridlock("calibrate import " + folder_ + "/topo.txt --gpu h100-sxm --nvlink 450GBps --pcie 63GBps -o " +
                                folder_ + "/node.yaml");
  ASSERT_EQ(node.exit_code, 0) << node.err;
  EXPECT_EQ(gridlock("run scenarios/matmul/gpu.yaml --set cluster.node=" + folder_ + "/node.yaml").exit_code, 0);
  write_text(folder_ + "/log.txt",
             "# Collective test starting: all_reduce_perf\n#  Rank  0 Group  0 Pid 1 on a device 0\n#  Rank  1 Group  0 Pid 1 on "
             "a device 1\n"
             "     1048576        262144     float     sum      -1    50.0   20.9   36.7      0    49.0   21.4   37.4      0\n");
  const Outcome log = gridlock("calibrate import " + folder_ + "/log.txt");
  EXPECT_EQ(log.exit_code, 0) << log.err;
  const auto point = nlohmann::json::parse(log.out.substr(log.out.find('\n') + 1));
  EXPECT_EQ(point["benchmark"], "all_reduce");
  EXPECT_EQ(point["numbers"]["bytes"], 1048576);
  EXPECT_EQ(point["numbers"]["ranks"], 2);
  EXPECT_EQ(point["numbers"]["nodes"], 1);
  EXPECT_EQ(point["numbers"]["gpus_per_process"], 2);  // one process
  EXPECT_NEAR(point["seconds"][0].get<double>(), 50e-6, 1e-12);
  EXPECT_NEAR(point["seconds"][1].get<double>(), 49e-6, 1e-12);
  write_text(folder_ + "/noise.txt", "hello\n");
  EXPECT_EQ(gridlock("calibrate import " + folder_ + "/noise.txt").exit_code, 4);
}

// Logs of 2 nodes of 8 ranks, a process a GPU, whose NICs moved 30 GB/s each where the preset says 48: 16 GB of all-gather put
// 15 GB on the ring, eight NICs a node.
std::string two_node_log(double nic_gbps) {
  std::string log = "# Collective test starting: all_gather_perf\n";
  for (int rank = 0; rank < 16; ++rank)
    log += fmt::format("#  Rank {:2} Group  0 Pid {} on  node-{} device {:2} [0x07] NVIDIA H100\n", rank, 100 + rank, rank / 8,
                       rank % 8);
  for (std::uint64_t bytes = 1 << 28; bytes <= std::uint64_t{1} << 34; bytes *= 2) {
    const double us = 300 + static_cast<double>(bytes) * 15 / 16 / (8 * nic_gbps * 1e3);
    log += fmt::format("{} {} float none -1 {:.1f} 0 0 N/A {:.1f} 0 0 N/A\n", bytes, bytes / 64, us, us);
  }
  return log;
}

// The log of a cluster whose channels move 30 GB/s between nodes where the preset says 48: the fit finds 30, and the profile
// gives the log's own times again.
TEST_F(Calibrate, AClusterIsFittedFromItsLogs) {
  const std::string call = "collective all-gather --cluster hgx-h100 --nodes 2 ";
  const Outcome log =
      gridlock(call + "-b 256M -e 16G -f 2 --set 'profile={base: h100-sxm, nccl: {inter_channel_bandwidth: 30GBps}}'");
  ASSERT_EQ(log.exit_code, 0) << log.err;
  write_text(folder_ + "/log.txt", log.out);
  const std::string fit = "calibrate fit-collectives " + folder_ +
                          "/log.txt --ranks 16 --nodes 2 --cluster hgx-h100 --preset h100-sxm -o " + folder_ +
                          "/cluster.yaml --html " + folder_ + "/cluster.html --json";
  const Outcome fitted = gridlock(fit);
  ASSERT_EQ(fitted.exit_code, 0) << fitted.err;
  const auto json = nlohmann::json::parse(fitted.out);
  ASSERT_EQ(json["terms"][0]["name"], "nccl.inter_channel_bandwidth");
  ASSERT_TRUE(json["terms"][0]["fitted"].get<bool>()) << fitted.out;
  EXPECT_NEAR(json["terms"][0]["value"].get<double>(), 30e9, 0.1e9);
  EXPECT_TRUE(std::filesystem::exists(folder_ + "/cluster.html"));
  EXPECT_EQ(gridlock(fit).exit_code, 2);  // nothing is overwritten unasked
  // 16 GiB take 17.18e9 15/16 / 240e9 = 67.1 ms and the pipeline's fill.
  const Outcome run = gridlock(call + "-b 16G --json --profile " + folder_ + "/cluster.yaml");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NEAR(nlohmann::json::parse(run.out)["results"][0]["out_of_place"]["time"].get<double>(), 67.1e3, 2e3);  // us
}

TEST_F(Calibrate, LogsThatCannotBeFittedAreRefused) {
  const auto fails = [&](const std::string& arguments, int code, const std::string& message) {
    const Outcome outcome = gridlock("calibrate fit-collectives " + arguments + " --preset h100-sxm -o " + folder_ + "/no.yaml");
    EXPECT_EQ(outcome.exit_code, code) << arguments << outcome.err;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder_ + "/no.yaml"));
  };
  write_text(folder_ + "/log.txt", two_node_log(30));
  write_text(folder_ + "/bare.txt",
             "# Collective test starting: all_reduce_perf\n1073741824 268435456 float sum -1 4000 268 470 0 3990 269 471 0\n");
  write_text(folder_ + "/noise.txt", "hello\n");
  // Times that have nothing to do with the sizes: a profile that is the preset under another name was once written.
  std::string wild = "# Collective test starting: all_gather_perf\n";
  for (int i = 24; i <= 34; ++i)
    wild += fmt::format("{0} {1} float none -1 {2} 0 0 N/A {2} 0 0 N/A\n", std::uint64_t{1} << i, std::uint64_t{1} << (i - 6),
                        i % 2 == 0 ? 1000.0 : 50000.0);
  write_text(folder_ + "/wild.txt", wild);
  const std::string log = folder_ + "/log.txt", on = " --cluster hgx-h100";
  fails(folder_ + "/nowhere.txt" + on, 4, "nowhere.txt");
  fails(folder_ + "/noise.txt" + on, 4, "noise.txt");
  fails(folder_ + "/bare.txt" + on, 2, "--ranks N");
  fails(folder_ + "/bare.txt --ranks 9 --nodes 2" + on, 2, "--nodes N");
  fails(folder_ + "/bare.txt --ranks 16" + on, 4, "16 ranks on 1 nodes");
  fails(folder_ + "/wild.txt --ranks 16 --nodes 2" + on, 4, "nothing could be fitted; nccl.inter_channel_bandwidth");
  fails(folder_ + "/bare.txt --ranks 8" + on, 4, "cannot be fitted");  // one point
  fails(folder_ + "/measured.jsonl" + on, 4, "no collective and no copy");
  fails(log + " --cluster no-such", 3, "no-such");
}

// A step whose profile says its errors has one itself: a ceiling of 0.7 +- 0.07 moves the products' time, most of the step's,
// by a tenth; the same seed gives the same bytes.
TEST(RunWithErrors, TheStepTimeHasAnError) {
  const std::string arguments =
      "scenarios/hello-8xh100.yaml --reproducible --set 'profile={base: h100-sxm, standard_errors: {gemm.ceiling: 0.07}}'";
  const auto first = run_json(arguments), second = run_json(arguments), none = run_json(arguments + " --samples 0");
  ASSERT_TRUE(first.contains("step")) << first;
  const double relative = first["step"]["time_s_stderr"].get<double>() / first["step"]["time_s"].get<double>();
  EXPECT_GT(relative, 0.03);
  EXPECT_LT(relative, 0.15);
  EXPECT_EQ(first, second);
  EXPECT_FALSE(none["step"].contains("time_s_stderr"));
  EXPECT_EQ(none["step"]["time_s"], first["step"]["time_s"]);
}

}  // namespace
}  // namespace gridlock::test
