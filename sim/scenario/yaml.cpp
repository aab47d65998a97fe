#include "sim/scenario/yaml.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>

namespace gridlock::scenario {
namespace {

[[noreturn]] void fail(std::string code, const Mark& mark, std::string message, std::string help = {}) {
  throw InvalidScenario(diagnose(Severity::error, std::move(code), mark, std::move(message), std::move(help)));
}

// Builds the tree from the parser's events. A stack of open containers; a map waits for a key, then for its value.
class Builder : public YAML::EventHandler {
 public:
  Builder(SourcePtr source, std::string_view text) : source_(std::move(source)), text_(text) {}

  Node take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { place(node(Node::Kind::null, mark, "", anchor)); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    fail("alias", at(mark, 1), "aliases (*name) are not allowed",
         "write the value out; to share parts between scenarios use `base:`");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& value) override {
    // The parser tags a plain scalar "?" and a quoted or block one "!".
    const bool quoted = tag == "!";
    if (quoted) check_closed(mark);
    Node scalar = node(Node::Kind::scalar, mark, tag == "?" || quoted ? "" : tag, anchor);
    scalar.text = value;
    scalar.quoted = quoted;
    scalar.mark.length = static_cast<int>(std::min<std::size_t>(value.size(), 1000)) + (quoted ? 2 : 0);
    place(std::move(scalar));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(node(Node::Kind::sequence, mark, tag, anchor));
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open(node(Node::Kind::map, mark, tag, anchor));
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    Node node;
    bool has_key = false;
  };

  Mark at(const YAML::Mark& mark, int length) const { return {source_, mark.line + 1, mark.column + 1, length}; }

  // The parser takes the end of the file for the end of a quoted text.
  void check_closed(const YAML::Mark& mark) const {
    const auto begin = static_cast<std::size_t>(mark.pos);
    const char quote = begin < text_.size() ? text_[begin] : ' ';
    if (quote != '"' && quote != '\'') return;  // a block (| or >) ends by its indentation
    if (text_.find(quote, begin + 1) == std::string_view::npos)
      fail("syntax", at(mark, 1), "YAML syntax: this quote is never closed");
  }

  Node node(Node::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    const Mark here = at(mark, 1);
    if (++count_ > max_nodes) fail("too-large", here, fmt::format("more than {} values in one file", max_nodes));
    if (!tag.empty() && tag != "?") fail("tag", here, fmt::format("tags ({}) are not allowed", tag), "leave the tag out");
    if (anchor != 0)
      fail("anchor", here, "anchors (&name) are not allowed",
           "write the value out; to share parts between scenarios use `base:`");
    Node made;
    made.kind = kind;
    made.mark = here;
    return made;
  }

  void open(Node container) {
    if (stack_.size() >= max_depth) fail("too-deep", container.mark, fmt::format("nested more than {} deep", max_depth));
    stack_.push_back({std::move(container)});
  }

  void close() {
    Node done = std::move(stack_.back().node);
    stack_.pop_back();
    place(std::move(done));
  }

  void place(Node value) {
    if (stack_.empty()) {
      root_ = std::move(value);
      return;
    }
    Open& top = stack_.back();
    if (top.node.is_sequence()) {
      top.node.items.push_back(std::move(value));
    } else if (top.has_key) {
      top.node.entries.back().value = std::move(value);
      top.has_key = false;
    } else {
      add_key(top, std::move(value));
    }
  }

  void add_key(Open& map, Node key) {
    if (!key.is_scalar()) fail("bad-key", key.mark, fmt::format("a key must be a word, not {}", kind_name(key.kind)));
    if (key.text == "<<" && !key.quoted) {
      fail("merge-key", key.mark, "merge keys (<<) are not allowed",
           "to start from another file and change some keys write `base: NAME`");
    }
    if (const Entry* first = map.node.find(key.text)) {
      fail("duplicate-key", key.mark, fmt::format("key '{}' is given twice", key.text),
           fmt::format("the first one is in line {}; remove one of them", first->key_mark.line));
    }
    if (map.node.entries.size() >= max_keys) fail("too-large", key.mark, fmt::format("more than {} keys in one map", max_keys));
    map.node.entries.push_back({std::move(key.text), key.mark, {}});
    map.has_key = true;
  }

  SourcePtr source_;
  std::string_view text_;
  std::vector<Open> stack_;
  Node root_;
  std::size_t count_ = 0;
};

Mark mark_of_byte(const SourcePtr& source, std::string_view text, std::size_t byte) {
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(byte), '\n');
  const std::size_t newline = byte == 0 ? std::string_view::npos : text.rfind('\n', byte - 1);
  const std::size_t column = newline == std::string_view::npos ? byte : byte - newline - 1;
  return {source, static_cast<int>(line) + 1, static_cast<int>(column) + 1, 1};
}

void reject_tabs(const SourcePtr& source, std::string_view text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::size_t first = text.find_first_not_of(' ', begin);
    const std::size_t content = text.find_first_not_of(" \t\r", begin);
    // A line of blanks, or a comment, indents nothing.
    if (first < end && text[first] == '\t' && content < end && text[content] != '#') {
      fail("tab", mark_of_byte(source, text, first), "tab character in the indentation", "YAML is indented with spaces");
    }
    begin = end + 1;
  }
}

}  // namespace

const Entry* Node::find(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

Entry* Node::find(std::string_view key) { return const_cast<Entry*>(std::as_const(*this).find(key)); }

std::string_view kind_name(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::map:
      return "a map";
    case Node::Kind::sequence:
      return "a list";
    case Node::Kind::scalar:
      return "a value";
    case Node::Kind::null:
      break;
  }
  return "nothing";
}

std::string shown(const Node& node) {
  return node.is_scalar() ? fmt::format("'{}'", node.text) : std::string(kind_name(node.kind));
}

Node parse_yaml(const SourcePtr& source, bool json) { return parse_yaml(source, source->text, json); }

Node parse_yaml(const SourcePtr& source, const std::string& given, bool json) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  std::string text = given.starts_with(byte_order_mark) ? given.substr(byte_order_mark.size()) : given;
  if (const std::size_t bad = first_bad_byte(text); bad != std::string::npos) {
    const Mark mark = mark_of_byte(source, text, bad);
    Diagnostic d = diagnose(Severity::error, "encoding", mark,
                            text[bad] == '\0' ? "NUL byte: this is not a text file" : "this byte is not UTF-8",
                            text[bad] == '\0' ? "" : "save the file as UTF-8");
    d.excerpt.clear();  // it could be neither printed nor put into JSON
    throw InvalidScenario(std::move(d));
  }
  if (json) {
    std::replace(text.begin(), text.end(), '\t', ' ');
  } else {
    reject_tabs(source, text);
  }
  Builder builder(source, text);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) fail("empty", {source, 0, 0, 1}, "the file is empty");
    Builder second(source, text);
    Node root = builder.take();
    if (parser.HandleNextDocument(second)) {
      fail("several-documents", second.take().mark, "a second document starts here",
           "one file holds one document: remove the '---' line before this one");
    }
    return root;
  } catch (const YAML::Exception& e) {
    fail("syntax", {source, std::max(e.mark.line, 0) + 1, std::max(e.mark.column, 0) + 1, 1},
         fmt::format("YAML syntax: {}", e.msg), "look for a bracket, quote, colon or indentation that does not match");
  }
}

}  // namespace gridlock::scenario
