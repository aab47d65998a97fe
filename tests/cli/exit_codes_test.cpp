// Every failure ends with its exit code and a message that says what to do.

#include <gtest/gtest.h>

#include "tests/cli/program.hpp"

namespace gridlock::test {
namespace {

const char* const hello = "scenarios/hello-8xh100.yaml ";

void expect_failure(const std::string& arguments, int exit_code, const std::string& message) {
  const Outcome outcome = gridlock(arguments);
  EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
  EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.out, "") << "no partial result";
}

TEST(ExitCodes, UsageIsTwo) {
  expect_failure("", 2, "subcommand is required");
  expect_failure("rnu x.yaml", 2, "did you mean run?");
  expect_failure(std::string("run ") + hello + "--jsn", 2, "did you mean --json?");
  expect_failure(std::string("run ") + hello + "--rank 8", 2, "ranks 0 to 7");
}

TEST(ExitCodes, InvalidScenarioIsThree) {
  expect_failure(std::string("run ") + hello + "--set cluster.nods=2", 3, "did you mean 'nodes'?");
  expect_failure(std::string("run ") + hello + "--set cluster.nodes=0", 3, "nodes");
}

TEST(ExitCodes, FileIsFour) {
  expect_failure("run no-such-file.yaml", 4, "no-such-file.yaml");
  expect_failure("run scenarios", 4, "scenarios");
  EXPECT_EQ(gridlock(std::string("run ") + hello + "-o /no/such/folder/x.json").exit_code, 4);
  EXPECT_EQ(gridlock(std::string("run ") + hello + "--json -o /dev/full").exit_code, 4);
  EXPECT_EQ(gridlock(std::string("run ") + hello + "--trace /no/such/folder/x.json").exit_code, 4);
}

// Each of these once crashed, ran for ever, overwrote its input or gave a number for nonsense.
TEST(ExitCodes, ImpossibleSpeedsAreRefused) {
  expect_failure(std::string("run ") + hello + "--set 'faults.slow=[{gpu: 1, factor: 1e-9}]'", 3, "no GPU is that slow");
  expect_failure("run scenarios/quick-64xh100.yaml --set cluster.fabric.nic=1e-9Gbps", 3, "no link is that slow");
  expect_failure(std::string("run ") + hello + "--set 'profile={base: h100-sxm, collective_sms: 133}'", 3, "collective_sms");
}

TEST(ExitCodes, EndlessRunsAreRefusedWithoutYes) {
  expect_failure(std::string("run ") + hello + "--set batch.global=1000000000", 2, "--yes");
  expect_failure(std::string("run ") + hello + "--set optimizer.bucket=40", 3, "at least");
}

TEST(ExitCodes, ResultsNeverOverwriteInputsOrEachOther) {
  expect_failure(std::string("run ") + hello + "-o scenarios/hello-8xh100.yaml", 2, "is an input of this run");
  expect_failure(std::string("run ") + hello + "-o /tmp/same.json --trace /tmp/same.json", 2, "same file");
  expect_failure(std::string("run ") + hello + "-o ''", 2, "a file name is needed");
}

TEST(ExitCodes, UnwritableStreamsAreReported) {
  const std::string program = "cd " GRIDLOCK_SOURCE_DIR " && " GRIDLOCK_BINARY;
  EXPECT_EQ(WEXITSTATUS(std::system((program + " run no-such-file.yaml 2>/dev/full").c_str())), 4);
  EXPECT_EQ(WEXITSTATUS(std::system((program + " schema >/dev/full 2>/dev/null").c_str())), 4);
}

TEST(ExitCodes, ExpectationIsOne) {
  EXPECT_EQ(gridlock(std::string("run ") + hello + "--set expect.step_time.max=1ms").exit_code, 1);
  EXPECT_EQ(gridlock(std::string("run ") + hello + "--set expect.step_time.max=1000s").exit_code, 0);
}

// SimGrid catches Ctrl-C, tears the engine down in the middle of its work, and crashes. Five seconds in, this one simulates.
TEST(ExitCodes, CtrlCEndsARunAsAnySignalDoes) {
  const Outcome outcome =
      run_shell("timeout --preserve-status -s INT 5 " GRIDLOCK_BINARY " run --quiet scenarios/gpt3-175b-4096xh100-ecmp.yaml");
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_EQ(outcome.out, "");
}

TEST(ExitCodes, LayoutThatDoesNotFitIsThreeAndSaysWhatWould) {
  const std::string big =
      "run scenarios/gpt3-175b-4096xh100.yaml --set batch.micro=3 --set optimizer.zero=0 --set "
      "parallelism.sequence_parallel=false";
  expect_failure(big, 3, "this would fit");
  const Outcome ignored = gridlock(big + " --ignore-memory");
  EXPECT_EQ(ignored.exit_code, 0) << ignored.err;
}

TEST(Trace, IsJsonInsideTheStep) {
  const std::string file = temporary("trace.json");
  ASSERT_EQ(gridlock(std::string("run ") + hello + "--rank 3 --trace " + file).exit_code, 0);
  const nlohmann::json trace = nlohmann::json::parse(read_text(file));
  const double step_us = 1e6 * run_json(hello)["step"]["time_s"].get<double>();
  std::size_t spans = 0;
  for (const auto& event : trace["traceEvents"]) {
    if (event["ph"] != "X") continue;
    ++spans;
    EXPECT_GE(event["ts"].get<double>(), 0);
    EXPECT_LE(event["ts"].get<double>() + event["dur"].get<double>(), step_us + 0.002);  // printed to 1 ns
  }
  EXPECT_GT(spans, 100);
  std::remove(file.c_str());
}

}  // namespace
}  // namespace gridlock::test
