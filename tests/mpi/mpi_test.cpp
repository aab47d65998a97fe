// gridlock-mpi under a real mpirun of four ranks on this machine: the same results as gridlock sweep, whatever is killed.

#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "tests/cli/program.hpp"

namespace gridlock::test {
namespace {

using namespace std::chrono_literals;

const std::string sweep = "scenarios/quick-64xh100.yaml -q --knee 0 --vary seed=1..40 ";

std::vector<std::string> sorted_lines(const std::string& file) {
  std::vector<std::string> lines;
  std::stringstream stream(read_text(file));
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  std::ranges::sort(lines);
  return lines;
}

// mpirun in a process group of its own.
pid_t start(const std::string& arguments) {
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  ::setpgid(0, 0);
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  const std::string command = "cd " GRIDLOCK_SOURCE_DIR " && exec mpirun --oversubscribe -n 4 " GRIDLOCK_MPI_BINARY " " + sweep +
                              arguments + " >/dev/null 2>/dev/null </dev/null";
  ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
  ::_exit(9);
}

int wait_for(pid_t pid) {
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const pid_t pid = std::atoi(entry.path().filename().c_str());
    if (pid <= 0) continue;
    const std::string stat = read_text(entry.path() / "stat");
    const std::size_t end = stat.rfind(')');  // "pid (name) state parent ..."
    if (end != std::string::npos && std::atoi(stat.c_str() + end + 4) == parent) children.push_back(pid);
  }
  std::ranges::sort(children);
  return children;
}

class Mpi : public ::testing::Test {
 protected:
  std::string whole = temporary("whole.jsonl"), file = temporary("mpi.jsonl");
  std::vector<std::string> expected;

  void SetUp() override {
    ASSERT_EQ(gridlock("sweep " + sweep + "-o " + whole).exit_code, 0);
    expected = sorted_lines(whole);
  }
  ~Mpi() override {
    std::filesystem::remove(whole);
    std::filesystem::remove(file);
  }

  // Returns once the sweep has some points and all four ranks are there.
  pid_t start_and_wait_for_points() {
    const pid_t pid = start("-o " + file);
    while (sorted_lines(file).size() < 6 || children_of(pid).size() < 4) std::this_thread::sleep_for(5ms);
    return pid;
  }
  void resume_and_compare() {
    EXPECT_EQ(wait_for(start("--resume -o " + file)), 0);
    EXPECT_EQ(sorted_lines(file), expected);
  }
};

TEST_F(Mpi, FourRanksGiveTheSameResults) {
  EXPECT_EQ(wait_for(start("-o " + file)), 0);
  EXPECT_EQ(sorted_lines(file), expected);
}

TEST_F(Mpi, AKilledChildIsTriedAgain) {
  const pid_t pid = start_and_wait_for_points();
  bool killed = false;
  for (int i = 0; i < 1000 && !killed; ++i)
    for (const pid_t rank : children_of(pid))
      for (const pid_t child : children_of(rank))
        if (!killed) killed = ::kill(child, SIGKILL) == 0;
  EXPECT_TRUE(killed);
  EXPECT_EQ(wait_for(pid), 0);
  EXPECT_EQ(sorted_lines(file), expected);
}

TEST_F(Mpi, AKilledRankEndsTheJobAndResumingLosesNothing) {
  const pid_t pid = start_and_wait_for_points();
  ::kill(children_of(pid).back(), SIGKILL);
  EXPECT_NE(wait_for(pid), 0);
  resume_and_compare();
}

TEST_F(Mpi, AKilledJobIsResumed) {
  const pid_t pid = start_and_wait_for_points();
  const std::vector<pid_t> ranks = children_of(pid);
  for (const pid_t rank : ranks) ::kill(rank, SIGKILL);
  ::kill(pid, SIGKILL);
  wait_for(pid);
  resume_and_compare();
}

// Rank 0 says what is wrong, and no rank waits for ever.
TEST_F(Mpi, MistakesEndTheJob) { EXPECT_EQ(wait_for(start("--vary cluster.nods=1..2 -o " + file)), 2); }

}  // namespace
}  // namespace gridlock::test
