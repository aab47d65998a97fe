// Result files survive crashes and never destroy what is not theirs; child processes fail alone.

#include "sim/sweep/result_file.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "sim/scenario/diagnostic.hpp"
#include "sim/sweep/merge.hpp"
#include "tests/sweep/made_up.hpp"

namespace gridlock::sweep {
namespace {

using Mode = ResultFile::Mode;
const Formula linear = [](const auto& x) { return x[0]; };
const std::vector<std::string> four{"batch.global=1,2,3,4"};

std::string read_text(const std::string& name) {
  std::ifstream in(name);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

class Files : public ::testing::Test {
 protected:
  std::string folder = (std::filesystem::temp_directory_path() / ("gridlock-sweep-test-" + std::to_string(::getpid()))).string();
  std::string name = folder + "/result.jsonl";
  Header header = header_of(four, 0);
  Files() { std::filesystem::create_directories(folder); }
  ~Files() override { std::filesystem::remove_all(folder); }

  std::string whole() {
    {
      ResultFile file(name, Mode::create, header);
      fill(file, made_work(linear, 0.5), 1);  // two at once may end in any order
    }
    return read_text(name);
  }
  void write(const std::string& text) { std::ofstream(name) << text; }
};

// A crash cuts the file anywhere: what is left of the last line goes, nothing else does, and resuming makes the same file.
TEST_F(Files, ResumeFromEveryLengthGivesTheSameFile) {
  const std::string text = whole();
  for (std::size_t length = 0; length <= text.size(); length += 37) {
    write(text.substr(0, length));
    {
      ResultFile file(name, Mode::resume, header);
      fill(file, made_work(linear, 0.5), 1);
    }
    const std::string again = read_text(name);
    EXPECT_EQ(again.size(), text.size()) << length;
    EXPECT_EQ(again.substr(0, length / 2), text.substr(0, length / 2)) << length;
  }
}

TEST_F(Files, PointsAreReadBackToTheLastBit) {
  ResultFile file("", Mode::temporary, header);
  Point point = made_point({}, 0.1 + 0.2, 1.0 / 3);
  point.values = {"1"};
  point.critical_path[11] = 5e-324;
  file.append(point_json(point).dump());
  EXPECT_EQ(file.read(0).step_s, 0.1 + 0.2);
  EXPECT_EQ(file.read(0).causes[0].seconds, 1.0 / 3);
  EXPECT_EQ(file.read(0).critical_path[11], 5e-324);
}

template <class Error>
std::string error_of(const std::string& name, Mode mode, const Header& header) {
  try {
    const ResultFile file(name, mode, header);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST_F(Files, AnotherSweepIsRefusedAndKept) {
  const std::string text = whole();
  Header other = header;
  other.fnv1a64 = "ffffffffffffffff";
  EXPECT_NE(error_of<WrongFile>(name, Mode::resume, other).find("the scenario (or --set, --seed) has changed"),
            std::string::npos);
  other = header;
  other.version = "9.9";
  EXPECT_NE(error_of<WrongFile>(name, Mode::resume, other).find("another version"), std::string::npos);
  other = header_of({"batch.global=1,2"}, 0);
  EXPECT_NE(error_of<WrongFile>(name, Mode::resume, other).find("varies other values"), std::string::npos);
  EXPECT_NE(error_of<scenario::FileError>(name, Mode::create, header).find("--resume"), std::string::npos);
  EXPECT_EQ(read_text(name), text);
}

TEST_F(Files, WhatIsNoResultIsRefusedAndKept) {
  for (const std::string text : {"my thesis", "my thesis\n", "{}\n", "{\"schema\": \"gridlock.result/1\"}\n"}) {
    write(text);
    EXPECT_NE(error_of<WrongFile>(name, Mode::resume, header), "no error") << text;
    EXPECT_EQ(read_text(name), text);
  }
}

TEST_F(Files, DamageInTheMiddleIsRefused) {
  std::string text = whole();
  const std::size_t second = text.find('\n') + 10;
  text[second] = '\0';
  write(text);
  EXPECT_NE(error_of<WrongFile>(name, Mode::resume, header).find("line 2"), std::string::npos);
  EXPECT_EQ(read_text(name), text);
}

TEST_F(Files, FullDisksAndMissingFoldersAreErrors) {
  EXPECT_NE(error_of<scenario::FileError>("/dev/full", Mode::create, header).find("No space left"), std::string::npos);
  EXPECT_NE(error_of<scenario::FileError>("/no/such/folder/x", Mode::create, header).find("cannot write"), std::string::npos);
  EXPECT_NE(error_of<scenario::FileError>(folder, Mode::create, header).find("cannot write"), std::string::npos);
}

// Locks belong to processes: the second writer is a child.
TEST_F(Files, TwoSweepsDoNotShareAFile) {
  const ResultFile first(name, Mode::create, header);
  const pid_t child = ::fork();
  if (child == 0)
    ::_exit(error_of<scenario::FileError>(name, Mode::resume, header).find("another sweep is writing") == std::string::npos);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(Files, ShardsMergeToTheWhole) {
  const std::string text = whole();
  std::vector<std::string> parts;
  for (std::uint64_t i = 0; i < 3; ++i) {
    parts.push_back(folder + "/part" + std::to_string(i));
    ResultFile part(parts.back(), Mode::create, header);
    LocalPool pool(1, made_work(linear, 0.5));
    run_grid(part, pool, {i, 3}, [](auto, auto, auto) {});
  }
  ResultFile merged(folder + "/merged", Mode::create, header);
  merge(parts, merged);
  ResultFile reference(name, Mode::read, std::nullopt);
  std::string a, b;
  merged.visit_points([&](const std::string& line) { a += line; });
  reference.visit_points([&](const std::string& line) { b += line; });
  EXPECT_EQ(a, b);
}

TEST(LocalPool, ACrashCostsItsPointAndIsTriedTwice) {
  const std::string marks =
      (std::filesystem::temp_directory_path() / ("gridlock-attempts-" + std::to_string(::getpid()))).string();
  ResultFile file("", Mode::temporary, header_of(four, 0));
  const Work good = made_work(linear, 0.5);
  fill(file, [&](const Task& task) {
    if (task.place.values[0] == "2") {
      std::ofstream(marks, std::ios::app) << "x";
      std::fputs("assertion failed: luck\n", stderr);
      std::abort();
    }
    return good(task);
  });
  EXPECT_EQ(file.grid_points(), 4u);
  EXPECT_EQ(file.failed_points(), 1u);
  EXPECT_EQ(file.read(1).error, "the process of this point was killed by signal 6 (Aborted), 2 times: assertion failed: luck");
  EXPECT_EQ(read_text(marks), "xx");
  std::filesystem::remove(marks);
}

TEST(LocalPool, APointKilledOnceIsRunAgain) {
  const std::string mark = (std::filesystem::temp_directory_path() / ("gridlock-once-" + std::to_string(::getpid()))).string();
  ResultFile file("", Mode::temporary, header_of(four, 0));
  const Work good = made_work(linear, 0.5);
  fill(file, [&](const Task& task) {
    if (task.place.values[0] == "3" && !std::filesystem::exists(mark)) {
      std::ofstream(mark) << "x";
      ::raise(SIGKILL);
    }
    return good(task);
  });
  EXPECT_EQ(file.failed_points(), 0u);
  EXPECT_EQ(file.step_s(2), 3);
  std::filesystem::remove(mark);
}

}  // namespace
}  // namespace gridlock::sweep
