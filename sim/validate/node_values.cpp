#include "sim/validate/node_values.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace gridlock::validate {

using scenario::Node;

void fail(const Node& at, const std::string& message) {
  throw scenario::InvalidScenario(scenario::diagnose(scenario::Severity::error, "wrong-shape", at.mark, message));
}

std::optional<double> number_of(const Node& node) {
  if (!node.is_scalar()) return std::nullopt;
  double value = 0;
  const char* end = node.text.data() + node.text.size();
  const auto [at, error] = std::from_chars(node.text.data(), end, value);
  if (error != std::errc{} || at != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string text_at(const Node& map, std::string_view key, const std::string& absent) {
  const scenario::Entry* entry = map.find(key);
  return entry && entry->value.is_scalar() ? entry->value.text : absent;
}

std::optional<double> number_at(const Node& map, std::string_view key) {
  const scenario::Entry* entry = map.find(key);
  return entry ? number_of(entry->value) : std::nullopt;
}

int integer_at(const Node& map, std::string_view key, int absent) {
  const scenario::Entry* entry = map.find(key);
  if (!entry || entry->value.kind == Node::Kind::null) return absent;
  const std::optional<double> value = number_of(entry->value);
  if (!value || *value < 1 || *value > 1 << 20 || *value != std::floor(*value))
    fail(entry->value, fmt::format("'{}' is not a whole number above 0", key));
  return static_cast<int>(*value);
}

const Node& list_at(const Node& map, std::string_view key) {
  const scenario::Entry* entry = map.find(key);
  if (!entry || !entry->value.is_sequence()) fail(map, fmt::format("no list '{}'", key));
  return entry->value;
}

Node scalar(std::string text, const scenario::Mark& mark) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.mark = mark;
  node.text = std::move(text);
  return node;
}

Node map_of(std::vector<std::pair<std::string, Node>> entries, const scenario::Mark& mark) {
  Node node;
  node.kind = Node::Kind::map;
  node.mark = mark;
  for (auto& [key, value] : entries) node.entries.push_back({key, mark, std::move(value)});
  return node;
}

}  // namespace gridlock::validate
