// YAML (and so JSON) text as a plain document tree with marks. Stricter than YAML: everything that makes two readers of one
// file disagree is an error (duplicate and merge keys, aliases, tags, several documents, tabs as indentation).
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/diagnostic.hpp"
#include "sim/scenario/source.hpp"

namespace gridlock::scenario {

struct Entry;

struct Node {
  enum class Kind : std::uint8_t { null, scalar, sequence, map };
  Kind kind = Kind::null;
  Mark mark;                   // of the value; of a map: its first key, or its brace
  std::string text;            // scalar
  bool quoted = false;         // scalar
  std::vector<Node> items;     // sequence
  std::vector<Entry> entries;  // map, in file order
  bool failed = false;         // a reference that could not be replaced: already reported, readers pass over it

  bool is_map() const { return kind == Kind::map; }
  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_sequence() const { return kind == Kind::sequence; }
  const Entry* find(std::string_view key) const;
  Entry* find(std::string_view key);
};

struct Entry {
  std::string key;
  Mark key_mark;
  Node value;
};

std::string_view kind_name(Node::Kind kind);  // "a map", "a list", "a value", "nothing"
std::string shown(const Node& node);          // a scalar's text in quotes, else the kind: for messages

inline constexpr int max_depth = 40;
inline constexpr std::size_t max_nodes = 500'000;
inline constexpr std::size_t max_keys = 1000;  // of one map

// Throws InvalidScenario with the first mistake. `json` allows tabs between tokens. `text`, where given, is parsed instead
// of the source's own (marks and excerpts stay the source's): --set blanks out what is left of its value.
Node parse_yaml(const SourcePtr& source, bool json = false);
Node parse_yaml(const SourcePtr& source, const std::string& text, bool json);

}  // namespace gridlock::scenario
