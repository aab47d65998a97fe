// How mistakes look.
#include "sim/scenario/diagnostic.hpp"

#include <gtest/gtest.h>

namespace gridlock::scenario {
namespace {

SourcePtr source(const std::string& text) { return std::make_shared<const Source>(Source{"a.yaml", text}); }

Diagnostic at(const std::string& text, int line, int column, int length) {
  return diagnose(Severity::error, "code", {source(text), line, column, length}, "message", "help");
}

TEST(Diagnostic, PointsAtTheLine) {
  EXPECT_EQ(render(at("one: 1\ntwo: 22\n", 2, 6, 2)),
            "error: message\n"
            " --> a.yaml:2:6\n"
            "  |\n"
            "2 | two: 22\n"
            "  |      ^^\n"
            "  = help: help\n");
}

TEST(Diagnostic, CaretsStandUnderCharactersNotBytes) {
  // ä is two bytes and one column; the tab stays a tab.
  EXPECT_EQ(render(at("ä:\tü1\n", 1, 5, 3)),
            "error: message\n"
            " --> a.yaml:1:5\n"
            "  |\n"
            "1 | ä:\tü1\n"
            "  |   \t^^\n"
            "  = help: help\n");
}

TEST(Diagnostic, AWholeFileHasNoLine) {
  EXPECT_EQ(render(at("a: 1\n", 0, 0, 1)), "error: message\n --> a.yaml\n  = help: help\n");
}

TEST(Diagnostic, BeyondTheEndOfALine) {
  EXPECT_EQ(render(at("a\n", 1, 9, 5)), "error: message\n --> a.yaml:1:9\n  |\n1 | a\n  |  ^\n  = help: help\n");
}

TEST(Diagnostic, ColourOnlyWhenAsked) {
  EXPECT_EQ(render(at("a: 1\n", 1, 1, 1)).find('\x1b'), std::string::npos);
  EXPECT_NE(render(at("a: 1\n", 1, 1, 1), true).find("\x1b[1;31merror\x1b[0m"), std::string::npos);
}

TEST(Diagnostic, ControlCharactersOfTheFileStayOut) {
  EXPECT_EQ(render(at("a: \x1b[2J\n", 1, 1, 1)).find('\x1b'), std::string::npos);
}

TEST(Diagnostic, CountsThem) {
  Diagnostic warning = at("a: 1\n", 1, 1, 1);
  warning.severity = Severity::warning;
  const std::string text = render({at("a: 1\n", 1, 1, 1), warning, at("a: 1\n", 1, 1, 1)});
  EXPECT_TRUE(text.ends_with("2 errors, 1 warning\n")) << text;
}

TEST(Diagnostic, OneLine) { EXPECT_EQ(one_line(at("a: 1\n", 1, 4, 1)), "a.yaml:1:4: message (help)"); }

TEST(Diagnostics, SortedByLineWithinAFile) {
  const SourcePtr s = source("a\nb\nc\n");
  Diagnostics found;
  found.error("x", {s, 3, 1, 1}, "third");
  found.error("x", {s, 1, 2, 1}, "second");
  found.error("x", {s, 1, 1, 1}, "first");
  try {
    found.throw_if_errors();
    FAIL();
  } catch (const InvalidScenario& e) {
    ASSERT_EQ(e.diagnostics.size(), 3u);
    EXPECT_EQ(e.diagnostics[0].message, "first");
    EXPECT_EQ(e.diagnostics[1].message, "second");
    EXPECT_EQ(e.diagnostics[2].message, "third");
  }
}

TEST(Diagnostics, StopsAtTwenty) {
  Diagnostics found;
  const Mark mark{source("a\n"), 1, 1, 1};
  for (std::size_t i = 1; i < Diagnostics::max_errors; ++i) found.error("x", mark, "again");
  try {
    found.error("x", mark, "last");
    FAIL();
  } catch (const InvalidScenario& e) {
    EXPECT_EQ(e.diagnostics.size(), 20u);
    EXPECT_TRUE(std::string(e.what()).ends_with("20 errors; stopped there\n"));
  }
}

TEST(Diagnostics, WarningsAloneDoNotThrow) {
  Diagnostics found;
  found.warning("x", {}, "only that");
  EXPECT_NO_THROW(found.throw_if_errors());
  EXPECT_FALSE(found.has_errors());
}

}  // namespace
}  // namespace gridlock::scenario
