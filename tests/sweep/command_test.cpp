// gridlock sweep as a user runs it.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <random>
#include <thread>

#include "tests/cli/program.hpp"

namespace gridlock::test {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

const std::string hello = "sweep scenarios/hello-8xh100.yaml -q ";
const std::string quick = "sweep scenarios/quick-64xh100.yaml -q ";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::stringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> sorted_lines(const std::string& file) {
  std::vector<std::string> lines = lines_of(read_text(file));
  std::ranges::sort(lines);
  return lines;
}

// The points among the lines of --json.
std::vector<json> points_of(const std::string& arguments) {
  const Outcome outcome = gridlock(arguments + " --json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  std::vector<json> points;
  for (const std::string& line : lines_of(outcome.out))
    if (json one = json::parse(line); one.contains("index")) points.push_back(std::move(one));
  return points;
}

void expect_failure(const std::string& arguments, int exit_code, const std::string& message) {
  const Outcome outcome = gridlock(arguments);
  EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
  EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.out, "");
}

double sum(const json& seconds) {
  double total = 0;
  for (const auto& [key, value] : seconds.items()) total += value.get<double>();
  return total;
}

TEST(Sweep, EveryPointAddsUpAndEqualsItsRun) {
  const std::vector<json> grid =
      points_of(quick + "--vary cluster.fabric.nic=100Gbps,400Gbps --vary parallelism.schedule=1f1b,gpipe --knee 0");
  ASSERT_EQ(grid.size(), 4u);
  for (const json& p : grid) {
    const double step = p["step_s"];
    EXPECT_NEAR(sum(p["breakdown"]), step, 1e-9 * step);
    EXPECT_NEAR(sum(p["critical_path"]), step, 1e-9 * step);
    double causes = 0;
    for (const json& cause : p["causes"]) causes += cause["seconds"].get<double>();
    EXPECT_NEAR(causes, step, 1e-9 * step);
    EXPECT_FALSE(p["bottleneck"].get<std::string>().empty());
  }
  const json run = run_json("scenarios/quick-64xh100.yaml --set cluster.fabric.nic=100Gbps --set parallelism.schedule=gpipe");
  EXPECT_EQ(grid[1]["step_s"], run["step"]["time_s"]);
  EXPECT_EQ(grid[1]["fingerprint"], run["engine"]["fingerprint"]);
}

// One data-parallel step without overlap is a + b / bandwidth while its NICs are full: two runs give a and b, and the knee
// against the best of the range, t(x) = 1.05 t(800), follows.
TEST(Sweep, KneeOfAScenarioWithAClosedForm) {
  const std::string scenario =
      "scenarios/quick-64xh100.yaml --set parallelism.pipeline=1 --set parallelism.tensor=8 --set parallelism.data=8 --set "
      "parallelism.sequence_parallel=false --set optimizer.overlap_gradients=false --set optimizer.overlap_parameters=false "
      "--set batch.global=8 ";
  const auto step = [&](double gbps) -> double {
    return run_json(scenario + "--set cluster.fabric.nic=" + std::to_string(gbps) + "Gbps")["step"]["time_s"];
  };
  const double t10 = step(10), t40 = step(40);
  const double b = (t10 - t40) / (1.0 / 10 - 1.0 / 40), a = t10 - b / 10;
  ASSERT_NEAR(step(20), a + b / 20, 1e-3 * t10) << "the closed form holds";
  const double knee = b / (1.05 * (a + b / 40) - a);
  const Outcome outcome = gridlock("sweep " + scenario + "-q --json --vary cluster.fabric.nic=log:10..40Gbps:3");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const std::string& line : lines_of(outcome.out))
    if (const json one = json::parse(line); one.contains("knee")) {
      EXPECT_NEAR(one["knee"]["value"].get<double>(), knee, 0.01 * knee);
      return;
    }
  ADD_FAILURE() << "no knee";
}

TEST(Sweep, AFailingPointIsARowAndTheOthersGoOn) {
  const std::vector<json> points = points_of(hello + "--vary parallelism.tensor=8,3,4 --set parallelism.data= --knee 0");
  ASSERT_EQ(points.size(), 3u);
  EXPECT_FALSE(points[0].contains("error"));
  EXPECT_TRUE(points[1].contains("error"));
}

TEST(Sweep, NothingButFailuresIsAFailure) {
  const Outcome outcome = gridlock(hello + "--vary parallelism.tensor=3,5 --knee 0");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("every point failed"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out.find("2 of 2 points, 2 failed"), std::string::npos) << outcome.out;
}

TEST(Sweep, TableCsvAndBlock) {
  const std::string scenario = temporary("sweep.yaml"), csv = temporary("sweep.csv");
  write_text(scenario, "base: " GRIDLOCK_SOURCE_DIR
                       "/scenarios/hello-8xh100.yaml\nsweep:\n  vary:\n    cluster.node.nvlink: \"log:100..400GBps:3\"\n"
                       "  zip:\n    - {batch.global: [8, 16], batch.micro: [1, 2]}\n");
  const Outcome outcome = gridlock("sweep " + scenario + " --csv " + csv);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("6 of 6 points"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("█"), std::string::npos);
  EXPECT_EQ(outcome.err, "") << "quiet in a pipe";
  const std::vector<std::string> rows = lines_of(read_text(csv));
  ASSERT_GE(rows.size(), 7u);
  EXPECT_TRUE(rows[0].starts_with("index,cluster.node.nvlink,batch.global,batch.micro,error,step_s"));
  for (const std::string& row : rows) EXPECT_EQ(std::ranges::count(row, ','), std::ranges::count(rows[0], ',')) << row;
  EXPECT_EQ(gridlock("run -q " + scenario).exit_code, 0) << "run does not mind the block";
  std::filesystem::remove(scenario);
  std::filesystem::remove(csv);
}

TEST(Sweep, MistakesAreRefusedBeforeAnythingRuns) {
  expect_failure(hello, 2, "nothing to sweep");
  expect_failure("sweep -q --vary seed=1..2", 2, "a scenario is needed");
  expect_failure(hello + "--vary cluster.fabric.nik=1..2Gbps:2", 2, "did you mean cluster.fabric.nic?");
  expect_failure(hello + "--vary nic=1..2Gbps:2", 2, "did you mean cluster.node.nic or cluster.fabric.nic?");
  expect_failure(hello + "--vary seed.x=1..2", 2, "seed is a single value");
  expect_failure(hello + "--vary faults.slow.factor=0.5..1:3", 2, "faults.slow is a list");
  expect_failure(hello + "--vary faults.slow.3.factor=0.5..1:3", 3, "faults.slow is a map, not a list");
  expect_failure(hello + "--vary seed=5..1", 2, "reversed");
  expect_failure(hello + "--vary batch.global", 2, "PATH=VALUES");
  expect_failure(hello + "--vary seed=1..3 --vary seed=1..3", 2, "swept twice");
  expect_failure(hello + "--zip 'seed=1,2;batch.global=1,2,3'", 2, "go in step: seed has 2 and batch.global has 3");
  expect_failure(hello + "--vary seed=1..1000000", 2, "--yes");
  expect_failure(hello + "--vary seed=1..2 --knee x", 2, "5%");
  expect_failure(hello + "--vary seed=1..2 --shard 3/2", 2, "I/N");
  expect_failure(hello + "--vary seed=1..2 --resume", 2, "-o FILE");
  expect_failure(hello + "--vary seed=1..2 -o scenarios/hello-8xh100.yaml", 2, "is an input");
  expect_failure(hello + "--vary seed=1..2 -o /dev/full", 4, "No space left");
  expect_failure(hello + "--vary seed=1..2 --csv /dev/full", 4, "No space left");
  expect_failure(hello + "--vary seed=1..2 --csv /no/such/folder/x.csv", 4, "/no/such/folder/x.csv");
  expect_failure(hello + "--vary seed=1..2 --html /no/such/folder/x.html", 4, "/no/such/folder/x.html");
  expect_failure(hello + "--vary cluster.fabric.nic=nan..400Gbps:3", 2, "'nan' in 'nan..400Gbps:3' is not a number");
  expect_failure(hello + "--vary cluster.fabric.nic=100..400:3", 3, "'100' has no unit");
  expect_failure(hello + "--vary cluster.fabric.nic=100Gbps,banana", 3, "'banana' is not a number");
  expect_failure(hello + "--vary 'cluster.fabric.nic=[100Gbps, 200Gbps'", 3, "YAML syntax");
  expect_failure(hello + "--vary sweep.vary=1..2:2", 2, "cannot be swept");
  expect_failure(hello + "--vary seed=1..2 --hold batch.per_replica", 2, "--scale");
  expect_failure(hello + "--scale gpus=8..16 --vary seed=1..2", 2, "leave --vary");
  expect_failure(hello + "--degrade gpu=0.5 --vary seed=1..2", 2, "link:PATTERN");
}

TEST(Sweep, ResumeRefusesAnotherScenario) {
  const std::string file = temporary("resume.jsonl");
  std::filesystem::remove(file);
  ASSERT_EQ(gridlock(hello + "--vary seed=1..2 -o " + file).exit_code, 0);
  const std::string before = read_text(file);
  expect_failure(hello + "--vary seed=1..2 -o " + file, 4, "--resume");
  expect_failure(hello + "--vary seed=1..3 --resume -o " + file, 2, "varies other values");
  expect_failure(quick + "--vary seed=1..2 --resume -o " + file, 2, "another scenario");
  expect_failure(hello + "--set batch.global=64 --vary seed=1..2 --resume -o " + file, 2, "has changed");
  EXPECT_EQ(read_text(file), before);
  EXPECT_EQ(gridlock(hello + "--vary seed=1..2 --resume -o " + file).exit_code, 0);
  EXPECT_EQ(read_text(file), before) << "nothing is run twice";
  std::filesystem::remove(file);
}

// The program as a process of its own group, without a shell between.
pid_t start(const std::string& arguments) {
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  ::setpgid(0, 0);
  if (::chdir(GRIDLOCK_SOURCE_DIR) != 0) ::_exit(9);
  const int null = ::open("/dev/null", O_RDWR);
  for (int file : {0, 1, 2}) ::dup2(null, file);
  std::stringstream words(arguments);
  std::vector<std::string> copies{"gridlock"};
  for (std::string word; words >> word;) copies.push_back(word);
  std::vector<char*> argv;
  for (std::string& word : copies) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(GRIDLOCK_BINARY, argv.data());
  ::_exit(9);
}

int wait_for(pid_t pid) {
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// 20 seeded moments between the start and the end of the undisturbed sweep.
TEST(Sweep, KilledAtRandomMomentsAndResumedGivesTheSameFile) {
  const std::string sweep = hello + "--vary cluster.node.nvlink=log:50..450GBps:6 --vary seed=1..2 ";
  const std::string whole = temporary("whole.jsonl"), file = temporary("killed.jsonl");
  std::filesystem::remove(whole);
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(wait_for(start(sweep + "-o " + whole)), 0);
  const double all_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const std::vector<std::string> expected = sorted_lines(whole);
  std::mt19937_64 random(20);
  std::uniform_real_distribution<double> moment(0, all_s);
  for (int i = 0; i < 20; ++i) {
    std::filesystem::remove(file);
    const pid_t pid = start(sweep + "-o " + file);
    std::this_thread::sleep_for(std::chrono::duration<double>(moment(random)));
    ::kill(-pid, SIGKILL);
    wait_for(pid);
    ASSERT_EQ(wait_for(start(sweep + "--resume -o " + file)), 0) << i;
    ASSERT_EQ(sorted_lines(file), expected) << i;
  }
  std::filesystem::remove(whole);
  std::filesystem::remove(file);
}

// Of a long sweep: the file is whole afterwards, and nothing is left running.
TEST(Sweep, CtrlCEndsCleanlyAndKeepsThePoints) {
  const std::string file = temporary("interrupted.jsonl");
  std::filesystem::remove(file);
  const pid_t pid = start(quick + "--vary seed=1..10000 -o " + file);
  while (lines_of(read_text(file)).size() < 3) std::this_thread::sleep_for(10ms);
  ::kill(-pid, SIGINT);
  EXPECT_EQ(wait_for(pid), 130);
  EXPECT_EQ(::kill(-pid, 0), -1) << "no child is left";
  const std::string text = read_text(file);
  EXPECT_EQ(text.back(), '\n');
  for (const std::string& line : lines_of(text)) EXPECT_TRUE(json::accept(line)) << line;
  std::filesystem::remove(file);
}

TEST(Sweep, ShardsMergeAndResumeToTheWhole) {
  const std::string sweep = hello + "--vary cluster.node.nvlink=log:50..450GBps:5 ";
  const std::string whole = temporary("w.jsonl"), a = temporary("a.jsonl"), b = temporary("b.jsonl"),
                    both = temporary("ab.jsonl");
  for (const std::string& file : {whole, a, b, both}) std::filesystem::remove(file);
  EXPECT_EQ(gridlock(sweep + "-o " + whole).exit_code, 0);
  EXPECT_EQ(gridlock(sweep + "--shard 1/2 -o " + a).exit_code, 0);
  EXPECT_EQ(gridlock(sweep + "--shard 2/2 -o " + b).exit_code, 0);
  EXPECT_EQ(gridlock("sweep --merge " + a + " " + b + " -o " + both).exit_code, 0);
  EXPECT_EQ(gridlock(sweep + "--resume -o " + both).exit_code, 0) << "adds the points around knees";
  EXPECT_EQ(sorted_lines(both), sorted_lines(whole));
  for (const std::string& file : {whole, a, b, both}) std::filesystem::remove(file);
}

TEST(Sweep, SensitivityNamesTheNvlinkOfOneNode) {
  const Outcome outcome = gridlock(hello + "--sensitivity --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const json result = json::parse(outcome.out);
  bool found = false;
  for (const json& effect : result["effects"])
    if (effect["name"] == "GPU - NVSwitch") {
      found = true;
      EXPECT_LT(effect["elasticity"].get<double>(), 0) << "more bandwidth, shorter step";
    }
  EXPECT_TRUE(found) << outcome.out;
}

TEST(Sweep, EachLinkAndDegradeAgree) {
  const Outcome outcome = gridlock(quick + "--each-link 0.5 --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const json result = json::parse(outcome.out);
  ASSERT_FALSE(result["links"].empty());
  const json& worst = result["links"][0];
  const json run = run_json("scenarios/quick-64xh100.yaml --degrade 'link:" + worst["pattern"].get<std::string>() + "=0.5'");
  EXPECT_EQ(run["step"]["time_s"], worst["step_s"]);
  EXPECT_EQ(run["healthy"]["time_s"], result["step_s"]);
  EXPECT_NEAR(run["healthy"]["cost_s"].get<double>(), worst["cost_s"].get<double>(), 1e-12);
}

// A cable of a trunk may go down; the only cable of a NIC may not.
TEST(Degrade, DownGoesAroundOrSaysThatThereIsNoWay) {
  const std::string cluster = "scenarios/quick-64xh100.yaml --set cluster.fabric.scalable_unit=4 ";
  const json healthy = run_json(cluster), spine = run_json(cluster + "--degrade link:leaf0:spines#0=down");
  ASSERT_FALSE(spine.contains("failed")) << spine.dump();
  EXPECT_GE(spine["step"]["time_s"].get<double>(), healthy["step"]["time_s"].get<double>());
  const Outcome cut = gridlock("run " + cluster + "--degrade link:node0.nic0:leaf0=down");
  EXPECT_EQ(cut.exit_code, 3);
  EXPECT_NE(cut.err.find("leaves no way"), std::string::npos) << cut.err;
  const Outcome inside = gridlock("run " + cluster + "--degrade link:node0.gpu0:node0.nvswitch=down");
  EXPECT_NE(inside.err.find("no way around"), std::string::npos) << inside.err;
}

// Under ecmp every cable is a link: with one of them down all flows take the others, as if it had never been there.
TEST(Degrade, DownUnderEcmpTakesTheOtherCables) {
  const json down = run_json(
      "scenarios/quick-64xh100.yaml --set cluster.fabric.scalable_unit=4 --set cluster.fabric.routing=ecmp --degrade "
      "link:leaf0:spine0#0=down");
  ASSERT_FALSE(down.contains("failed")) << down.dump();
  for (const json& link : down["links"]) EXPECT_EQ(link["example"].get<std::string>().find("leaf0->spine0#0"), std::string::npos);
}

TEST(Scale, EfficiencyStartsAtOneAndIsReported) {
  const Outcome outcome = gridlock("sweep scenarios/quick-64xh100.yaml -q --scale gpus=16..64");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("scaling with batch.global held"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("100.0 %"), std::string::npos);
  expect_failure("sweep scenarios/quick-64xh100.yaml -q --scale gpus=12..64", 2, "no multiple of");
}

// Sizes over which the batch does not divide are told of before anything runs, with a batch that does.
TEST(Scale, SaysWhatBatchWouldDivide) {
  const Outcome outcome = gridlock("sweep scenarios/gpt3-175b-4096xh100.yaml --scale gpus=4096,16384");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("batch.global 1536 does not divide at 16,384 GPUs; --set batch.global=2048 does"), std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.out.find("what failed"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("write a global batch that is a multiple of 2048"), std::string::npos) << outcome.out;
}

TEST(Scale, TheShippedExampleRunsAtEverySize) {
  const Outcome outcome = gridlock("sweep scenarios/sweeps/strong-scaling.yaml --scale gpus=1024..16384");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(outcome.out.find("5 of 5 points\n"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("16,384"), std::string::npos);
}

// docs/howto/how-much-network.md: TFLOP/s a GPU below 20, 30 to 40, 30 to 40, above 40. The end at which nothing hides behind
// kernels is within a tenth of these ranges, and everything hidden is no slower.
TEST(Sweep, PublishedV100SeriesInTrend) {
  const std::vector<json> points =
      points_of("sweep scenarios/sweeps/gpt3-176b-384xv100-zero3-traffic.yaml --ignore-memory --knee 0 -q");
  ASSERT_EQ(points.size(), 8u);
  const double least[] = {0, 30, 30, 40}, most[] = {20, 40, 40, 125};
  for (std::size_t i = 0; i < 4; ++i) {
    const double exposed = 125 * points[2 * i]["mfu_full"].get<double>(),
                 hidden = 125 * points[2 * i + 1]["mfu_full"].get<double>();
    EXPECT_GT(exposed, 0.9 * least[i]) << i;
    EXPECT_LT(exposed, 1.1 * most[i]) << i;
    EXPECT_GT(hidden, exposed) << i;
  }
}

// A point where more bandwidth is slower is said in the table, in the JSON lines and on the page: the middle one of three is made
// slower by hand, by its first cause.
TEST(Sweep, MoreBandwidthButSlowerIsMarkedEverywhere) {
  const std::string file = temporary("reversal.jsonl"), page = temporary("reversal.html");
  std::filesystem::remove(file);
  ASSERT_EQ(gridlock(hello + "--knee 0 --vary cluster.node.nvlink=100GBps,200GBps,400GBps -o " + file).exit_code, 0);
  std::string text;
  for (const std::string& line : lines_of(read_text(file))) {
    json one = json::parse(line);
    if (one.value("index", -1) == 1) {
      const double more = 2 * one["step_s"].get<double>();
      one["step_s"] = 3 * one["step_s"].get<double>();
      one["causes"][0]["seconds"] = one["causes"][0]["seconds"].get<double>() + more;
    }
    text += one.dump() + "\n";
  }
  write_text(file, text);
  const Outcome table = gridlock("sweep --merge " + file + " --html " + page), lines = gridlock("sweep --json --merge " + file);
  EXPECT_NE(table.out.find("more bandwidth, slower step\n  - cluster.node.nvlink: from 100GBps to 200GBps the step gets"),
            std::string::npos)
      << table.out;
  EXPECT_NE(lines.out.find("{\"reversal\":{\"axis\":0,\"from\":0,\"to\":1"), std::string::npos) << lines.out;
  EXPECT_NE(read_text(page).find("from 100GBps to 200GBps the step gets"), std::string::npos);
  std::filesystem::remove(file);
  std::filesystem::remove(page);
}

// Peak memory of the sweeping process itself: what ten times the points add is no more than what they are listed in.
TEST(Sweep, MemoryDoesNotGrowWithThePoints) {
  const auto peak_kb = [](const std::string& points) {
    const pid_t pid = start(hello + "--knee 0 --vary seed=1.." + points);
    int status = 0;
    rusage usage{};
    ::wait4(pid, &status, 0, &usage);
    return usage.ru_maxrss;
  };
  const long few = peak_kb("20"), many = peak_kb("200");
  EXPECT_LT(many, few + 8 * 1024);
}

}  // namespace
}  // namespace gridlock::test
