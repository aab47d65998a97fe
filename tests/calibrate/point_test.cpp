#include "calibrate/point.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

namespace gridlock::calibrate {
namespace {

constexpr const char* header = R"({"schema":"gridlock.points/1","provenance":{"device":"AMD EPYC"}})";

std::string error_of(const std::string& text) {
  std::istringstream in(text);
  try {
    read_points(in, "p.jsonl");
  } catch (const PointError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Points, ComeBackAsTheyWereWritten) {
  const std::string path = testing::TempDir() + "points_round_trip.jsonl";
  const Point gemm{"gemm", {{"dtype", "fp32"}}, {{"m", 64}, {"n", 0.1}}, {1.0 / 3, 2e-9}, ""};
  const Point failed{"launch", {}, {}, {}, "out of \"memory\"\n"};
  {
    PointWriter writer(path, {{"date", "2026-01-02"}});
    writer.append(gemm);
    writer.append(failed);
  }
  const PointFile file = read_points(path);
  EXPECT_EQ(file.provenance, (Provenance{{"date", "2026-01-02"}}));
  ASSERT_EQ(file.points.size(), 2u);
  EXPECT_EQ(file.points[0].labels, gemm.labels);
  EXPECT_EQ(file.points[0].numbers, gemm.numbers);
  EXPECT_EQ(file.points[0].seconds, gemm.seconds);
  EXPECT_EQ(file.points[1].benchmark, "launch");
  EXPECT_EQ(file.points[1].error, failed.error);
}

// A run that is killed keeps what it has measured: each point is in the file as soon as it was appended.
TEST(Points, AreInTheFileBeforeTheWriterIsClosed) {
  const std::string path = testing::TempDir() + "points_flushed.jsonl";
  PointWriter writer(path, {});
  writer.append({"timer", {}, {}, {1e-8}, ""});
  EXPECT_EQ(read_points(path).points.size(), 1u);
}

TEST(Points, TextThatIsNotUtf8IsReplacedNotThrown) {
  const std::string line = point_line({"gemm", {}, {}, {}, "bad \xff byte"});
  std::istringstream in(std::string(header) + "\n" + line);
  EXPECT_EQ(read_points(in, "p").points[0].error, "bad \xEF\xBF\xBD byte");
}

TEST(Points, NumbersThatAreNotFiniteAreBugs) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(point_line({"gemm", {}, {{"m", nan}}, {1}, ""}), std::logic_error);
  EXPECT_THROW(point_line({"gemm", {}, {}, {INFINITY}, ""}), std::logic_error);
}

TEST(Points, BadFilesNameTheLine) {
  EXPECT_EQ(error_of(""), "p.jsonl:0: the file is empty");
  EXPECT_EQ(error_of("m,n,k"), "p.jsonl:1: not a JSON object; a last line that was cut off can be removed");
  EXPECT_EQ(error_of(R"({"schema":"gridlock.points/2"})"), R"(p.jsonl:1: expected a header with "schema":"gridlock.points/1")");
  const auto second = [](const std::string& line) { return error_of(std::string(header) + "\n\n" + line); };
  EXPECT_EQ(second(R"({"benchmark":"gemm","sec)"), "p.jsonl:3: not a JSON object; a last line that was cut off can be removed");
  EXPECT_EQ(second(R"({"seconds":[1]})"), "p.jsonl:3: a point needs a \"benchmark\"");
  EXPECT_EQ(second(R"({"benchmark":"gemm"})"), "p.jsonl:3: a point needs \"seconds\", or an \"error\" that says why not");
  EXPECT_EQ(second(R"({"benchmark":"gemm","seconds":[0]})"), "p.jsonl:3: seconds must be positive, not 0");
  EXPECT_EQ(second(R"({"benchmark":"gemm","seconds":[1e999]})"),
            "p.jsonl:3: not a JSON object; a last line that was cut off can be removed");
  EXPECT_EQ(second(R"({"benchmark":"gemm","seconds":["1"]})"), "p.jsonl:3: seconds must be a finite number");
  EXPECT_EQ(second(R"({"benchmark":"gemm","seconds":[1],"numbers":{"m":"64"}})"), "p.jsonl:3: numbers.m must be a finite number");
  EXPECT_EQ(second(R"({"benchmark":"gemm","seconds":[1],"labels":["x"]})"), "p.jsonl:3: \"labels\" must be an object of strings");
  EXPECT_EQ(second(R"({"benchmark":"gemm","second":[1]})"),
            "p.jsonl:3: unknown key \"second\"; there are benchmark, labels, numbers, seconds, error");
}

TEST(Points, AFolderThatIsNotThereIsAnError) {
  EXPECT_THROW(PointWriter("/nonexistent/points.jsonl", {}), PointError);
  EXPECT_THROW(read_points("/nonexistent/points.jsonl"), PointError);
}

}  // namespace
}  // namespace gridlock::calibrate
