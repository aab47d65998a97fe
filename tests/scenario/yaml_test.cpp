// Text to document tree: what is kept, and what is refused though YAML allows it.
#include "sim/scenario/yaml.hpp"

#include <gtest/gtest.h>

namespace gridlock::scenario {
namespace {

Node parse(const std::string& text, bool json = false) {
  return parse_yaml(std::make_shared<const Source>(Source{"t.yaml", text}), json);
}

// "code line:column" of the first mistake.
std::string refusal(const std::string& text, bool json = false) {
  try {
    parse(text, json);
    return "";
  } catch (const InvalidScenario& e) {
    const Diagnostic& d = e.diagnostics.front();
    return d.code + " " + std::to_string(d.line) + ":" + std::to_string(d.column);
  }
}

TEST(Yaml, KeepsOrderMarksAndQuotes) {
  const Node root = parse("b: 1\na:\n  - 'x y'\n  - {k: v}\nnull_one: ~\n");
  ASSERT_TRUE(root.is_map());
  ASSERT_EQ(root.entries.size(), 3u);
  EXPECT_EQ(root.entries[0].key, "b");
  EXPECT_EQ(root.entries[1].key_mark.line, 2);
  EXPECT_EQ(root.entries[1].key_mark.column, 1);
  const Node& list = root.entries[1].value;
  ASSERT_TRUE(list.is_sequence());
  EXPECT_EQ(list.items[0].text, "x y");
  EXPECT_TRUE(list.items[0].quoted);
  EXPECT_EQ(list.items[0].mark.line, 3);
  EXPECT_EQ(list.items[0].mark.column, 5);
  EXPECT_EQ(list.items[1].find("k")->value.text, "v");
  EXPECT_FALSE(list.items[1].find("k")->value.quoted);
  EXPECT_EQ(root.entries[2].value.kind, Node::Kind::null);
}

TEST(Yaml, NumbersStayText) { EXPECT_EQ(parse("a: 010").find("a")->value.text, "010"); }

TEST(Yaml, ReadsJson) {
  const Node root = parse("{\n\t\"a\": [1, 2.5, true, null],\n\t\"b\": {\"c\": \"d\"}\n}\n", true);
  EXPECT_EQ(root.find("a")->value.items.size(), 4u);
  EXPECT_EQ(root.find("b")->value.find("c")->value.text, "d");
}

TEST(Yaml, AcceptsAByteOrderMarkAndWindowsLineEnds) {
  const Node root = parse(
      "\xef\xbb\xbf"
      "a: 1\r\nb: 2\r\n");
  EXPECT_EQ(root.find("a")->value.text, "1");
  EXPECT_EQ(root.find("b")->value.text, "2");
}

TEST(Yaml, RefusesWhatReadersDisagreeAbout) {
  EXPECT_EQ(refusal("a: 1\nb: 2\na: 3\n"), "duplicate-key 3:1");
  EXPECT_EQ(refusal("x: {a: 1, a: 1}"), "duplicate-key 1:11");
  EXPECT_EQ(refusal("a: {b: 1}\n<<: {c: 2}\n"), "merge-key 2:1");
  EXPECT_EQ(refusal("a: &x 1\n"), "anchor 1:4");
  EXPECT_EQ(refusal("a: *x\n"), "syntax 1:4");
  EXPECT_EQ(refusal("a: !!int 1\n"), "tag 1:4");
  EXPECT_EQ(refusal("a: !secret 1\n"), "tag 1:4");
  EXPECT_EQ(refusal("a: 1\n---\nb: 2\n"), "several-documents 3:1");
  EXPECT_EQ(refusal("a:\n\tb: 1\n"), "tab 2:1");
  EXPECT_EQ(refusal("a:\n  \tb: 1\n"), "tab 2:3");
  EXPECT_EQ(refusal("? [a, b]\n: 1\n"), "bad-key 1:3");
  EXPECT_EQ(refusal("~: 1\n"), "bad-key 1:1");
  EXPECT_EQ(refusal(""), "empty 0:0");
  EXPECT_EQ(refusal("# only a comment\n"), "empty 0:0");
}

// Ten lines whose expansion has 10^9 values.
TEST(Yaml, AnAliasBombDoesNotGoOff) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string inner = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + inner;
    for (int k = 1; k < 10; ++k) text += ", " + inner;
    text += "]\n";
  }
  EXPECT_EQ(refusal(text), "anchor 1:5");
}

TEST(Yaml, RefusesBrokenText) {
  EXPECT_EQ(refusal("a: [1, 2\n"), "syntax 2:1");
  EXPECT_EQ(refusal("a: {b: 1\n"), "syntax 2:1");
  EXPECT_EQ(refusal("a: \"b\n"), "syntax 1:4");
  EXPECT_EQ(refusal("a: 'b\nc: 1\n"), "syntax 1:4");
  EXPECT_EQ(refusal("a: b: c\n"), "syntax 1:5");
  EXPECT_EQ(refusal("a: ]\n"), "syntax 1:4");
}

TEST(Yaml, RefusesWhatIsNoText) {
  EXPECT_EQ(refusal(std::string("a: 1\nb: \0", 9)), "encoding 2:4");
  EXPECT_EQ(refusal("a: \xff\n"), "encoding 1:4");
  EXPECT_EQ(refusal("a: \xc0\xaf\n"), "encoding 1:4");          // '/' in two bytes
  EXPECT_EQ(refusal("a: \xed\xa0\x80\n"), "encoding 1:4");      // half of a surrogate pair
  EXPECT_EQ(refusal("a: \xf4\x90\x80\x80\n"), "encoding 1:4");  // beyond U+10FFFF
  EXPECT_EQ(refusal("a: \xe2\x82"), "encoding 1:4");            // cut short
  EXPECT_EQ(refusal("a: \xc3\xa4\xe2\x82\xac\xf0\x9f\x9a\x80\n"), "");
}

TEST(Yaml, LimitsDepthAndSize) {
  EXPECT_EQ(refusal(std::string(max_depth, '[') + std::string(max_depth, ']')), "");
  EXPECT_EQ(refusal(std::string(max_depth + 1, '[') + std::string(max_depth + 1, ']')).substr(0, 8), "too-deep");
  EXPECT_EQ(refusal(std::string(100'000, '[')).substr(0, 8), "too-deep");
  std::string wide = "a: [";
  for (std::size_t i = 0; i <= max_nodes; ++i) wide += "1,";
  EXPECT_EQ(refusal(wide + "]").substr(0, 9), "too-large");
  std::string keys;
  for (std::size_t i = 0; i <= max_keys; ++i) keys += "k" + std::to_string(i) + ": 1\n";
  EXPECT_EQ(refusal(keys).substr(0, 9), "too-large");
}

}  // namespace
}  // namespace gridlock::scenario
