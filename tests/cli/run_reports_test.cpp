// `gridlock run` with --why, --html, --with and --background, as a user types them.
#include <gtest/gtest.h>

#include "tests/cli/program.hpp"

namespace gridlock::test {
namespace {

constexpr const char* quick = "scenarios/quick-64xh100.yaml";

// Four nodes of eight for one job; the second takes the machine over and lies on the other four.
struct TwoJobs {
  std::string first = temporary("first.yaml"), second = temporary("second.yaml");
  explicit TwoJobs(const std::string& placement = "[1, 3, 5, 7]", const std::string& more = "") {
    write_text(first,
               "scenario: training_step\ncluster:\n  nodes: 8\n  node: hgx-h100\n"
               "  fabric: {kind: rail_fat_tree, nic: 100Gbps, scalable_unit: 2, oversubscription: {leaf: 2}}\n"
               "  placement: [0, 2, 4, 6]\n  idle: allow\nprofile: h100-sxm\n"
               "model: {layers: 4, hidden: 1024, heads: 16, vocab: 51200}\nparallelism: {tensor: 1, pipeline: 1, data: 32}\n"
               "batch: {global: 64, micro: 1, sequence: 1024}\noptimizer: {zero: 0, overlap_gradients: false}\n");
    write_text(second, "base: " + first + "\ncluster: {placement: " + placement + "}\n" + more);
  }
  ~TwoJobs() {
    std::remove(first.c_str());
    std::remove(second.c_str());
  }
};

TEST(RunReports, WhyIsInTheJsonAndItsGpuSecondsAddUp) {
  const nlohmann::json result = run_json(std::string("--why ") + quick);
  double all = 0;
  for (const auto& [state, seconds] : result.at("why").at("gpu_seconds").items()) all += seconds.get<double>();
  const double gpu_seconds = 64 * result.at("step").at("time_s").get<double>();
  EXPECT_NEAR(all, gpu_seconds, 1e-9 * gpu_seconds);
  ASSERT_FALSE(result.at("why").at("findings").empty());
  const nlohmann::json& first = result.at("why").at("findings").at(0);
  EXPECT_FALSE(first.at("remedies").empty());
  EXPECT_NEAR(first.at("share").get<double>(), first.at("gpu_seconds").get<double>() / gpu_seconds, 1e-12);
  EXPECT_EQ(run_json(quick).count("why"), 0u);
}

TEST(RunReports, WhyIsTheSameEveryTime) {
  const std::string command = std::string("run --why --json --reproducible ") + quick;
  EXPECT_EQ(gridlock(command).out, gridlock(command).out);
}

TEST(RunReports, HtmlNeedsAFileOfItsOwn) {
  const std::string json = temporary("same.json");
  EXPECT_EQ(gridlock(std::string("run --html ") + json + " -o " + json + " " + quick).exit_code, 2);
  EXPECT_EQ(gridlock(std::string("run --html ") + quick + " " + quick).exit_code, 2);
  const Outcome unwritable = gridlock(std::string("run --html /nowhere/x.html ") + quick);
  EXPECT_EQ(unwritable.exit_code, 4);
  EXPECT_NE(unwritable.err.find("/nowhere/x.html"), std::string::npos);
}

// A second job that fills half of the trunks is to the first what a constant load of one half is.
TEST(RunReports, AnEqualJobBesideCostsWhatHalfTheTrunksCost) {
  const TwoJobs jobs;
  const Outcome together = gridlock("run --json " + jobs.first + " --with " + jobs.second);
  ASSERT_EQ(together.exit_code, 0) << together.err;
  const nlohmann::json pair = nlohmann::json::parse(together.out);
  EXPECT_EQ(pair.at("schema"), "gridlock.jobs/1");
  const nlohmann::json half =
      run_json("--background 'link:leaf*->spine*=0.5' --background 'link:spine*->leaf*=0.5' " + jobs.first);
  const double step = half.at("step").at("time_s").get<double>();
  for (const auto& job : pair.at("jobs")) EXPECT_NEAR(job.at("together_s").get<double>(), step, 1e-9 * step);
  EXPECT_NE(half.at("warnings").dump().find("background load takes 50 %"), std::string::npos);
}

// The machine of TwoJobs has no third of its trunks free, so the third job is small and lies on the nodes of a fifth leaf.
TEST(RunReports, ThreeJobsAndAPage) {
  const TwoJobs jobs;
  const std::string third = temporary("third.yaml"), page = temporary("jobs.html"),
                    nodes = " --set cluster.nodes=10 --html " + page;
  write_text(third, "base: " + jobs.first + "\ncluster: {placement: [8, 9]}\nparallelism: {data: 16}\n");
  const Outcome outcome = gridlock("run --json " + jobs.first + " --with " + jobs.second + " --with " + third + nodes);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const nlohmann::json three = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(three.at("jobs").size(), 3u);
  EXPECT_EQ(three.at("jobs")[2].at("gpus"), 16);
  EXPECT_NEAR(three.at("jobs")[2].at("slowdown").get<double>(), 0, 1e-9) << "it shares no link";
  EXPECT_GT(three.at("jobs")[0].at("slowdown").get<double>(), 0.01);
  for (const auto& link : three.at("links")) EXPECT_EQ(link.at("utilization").size(), 3u);
  EXPECT_NE(read_text(page).find("gridlock.jobs/1"), std::string::npos);
  EXPECT_EQ(gridlock("run " + jobs.first + " --with " + jobs.second + " --with " + jobs.second).exit_code, 3);
  std::remove(third.c_str());
  std::remove(page.c_str());
}

// Whoever kills a simulating process (the kernel, when memory runs out) is told of, and it is no bug.
TEST(RunReports, AKilledSimulationIsNoInternalError) {
  const std::string err = temporary("killed.err");
  const std::string command =
      "cd " GRIDLOCK_SOURCE_DIR "; " GRIDLOCK_BINARY " run --why scenarios/gpt3-175b-4096xh100.yaml >/dev/null 2>" + err +
      " & run=$!; for i in $(seq 2000); do for server in $(cat /proc/$run/task/$run/children); do "
      "for worker in $(cat /proc/$server/task/$server/children); do kill -9 $worker && break 3; done; done; "
      "sleep 0.005; done; wait $run";
  const int status = std::system(("bash -c '" + command + "'").c_str());
  EXPECT_EQ(WEXITSTATUS(status), 4);
  const std::string said = read_text(err);
  EXPECT_NE(said.find("ended by signal 9 (Killed)"), std::string::npos) << said;
  EXPECT_EQ(said.find("bug in gridlock"), std::string::npos) << said;
  std::remove(err.c_str());
}

TEST(RunReports, JobsThatShareGpusAreRefused) {
  const TwoJobs jobs("[6, 1, 3, 5]");
  const Outcome shared = gridlock("run " + jobs.first + " --with " + jobs.second);
  EXPECT_EQ(shared.exit_code, 3);
  EXPECT_NE(shared.err.find("rank 0 is on node6.gpu0"), std::string::npos) << shared.err;
  EXPECT_EQ(gridlock("run --why " + jobs.first + " --with " + jobs.second).exit_code, 2);
  EXPECT_EQ(gridlock("run " + jobs.first + " --with nowhere.yaml").exit_code, 4);
}

TEST(RunReports, JobsOnDifferentMachinesAreRefused) {
  const TwoJobs jobs("[1, 3, 5, 7]", "profile: a100-sxm\n");
  const Outcome machine = gridlock("run " + jobs.first + " --with " + jobs.second);
  EXPECT_EQ(machine.exit_code, 3);
  EXPECT_NE(machine.err.find("jobs side by side share one machine"), std::string::npos) << machine.err;
}

TEST(RunReports, BackgroundLoadIsChecked) {
  for (const char* bad : {"leaf*=0.3", "link:leaf*", "link:=0.3", "link:leaf*:*=1", "link:leaf*:*=-1", "link:leaf*:*=x"}) {
    const Outcome outcome = gridlock(std::string("run --background '") + bad + "' " + quick);
    EXPECT_EQ(outcome.exit_code, 2) << bad;
    EXPECT_NE(outcome.err.find("link:PATTERN=SHARE"), std::string::npos) << outcome.err;
  }
  const Outcome typo = gridlock(std::string("run --background 'link:lef0:*=0.3' ") + quick);
  EXPECT_EQ(typo.exit_code, 2);
  EXPECT_NE(typo.err.find("did you mean 'leaf0'"), std::string::npos) << typo.err;
}

}  // namespace
}  // namespace gridlock::test
