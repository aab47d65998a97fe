#include <fmt/format.h>

#include <charconv>

#include "sim/scenario/references.hpp"

namespace gridlock::scenario {
namespace {

[[noreturn]] void fail(const SourcePtr& source, std::size_t byte, std::size_t length, std::string message,
                       std::string help = {}) {
  const Mark mark{source, 1, static_cast<int>(byte) + 1, static_cast<int>(std::max<std::size_t>(length, 1))};
  throw InvalidScenario(diagnose(Severity::error, "bad-override", mark, std::move(message), std::move(help)));
}

Node* item_of(Node& list, std::string_view segment) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(segment.data(), segment.data() + segment.size(), index);
  const bool number = error == std::errc() && end == segment.data() + segment.size();
  return number && index < list.items.size() ? &list.items[index] : nullptr;
}

// The new last element of a list; of a key that has no value yet, the first one of a new list.
Node& append_item(Node& list, const Mark& mark) {
  if (list.kind == Node::Kind::null) {
    list.kind = Node::Kind::sequence;
    list.mark = mark;
  }
  return list.items.emplace_back();
}

void become_map(Node& node, const Mark& mark) {
  node = Node{};
  node.kind = Node::Kind::map;
  node.mark = mark;
}

}  // namespace

void apply_override(Node& root, const std::string& text, Catalogue& catalogue) {
  const auto source = std::make_shared<const Source>(Source{std::string(override_source), text});
  const std::size_t sign = text.find('=');
  const bool appends = sign != std::string::npos && sign > 0 && text[sign - 1] == '+';
  const std::size_t equals = appends ? sign - 1 : sign;
  if (equals == std::string::npos || equals == 0) {
    fail(source, 0, text.size(), fmt::format("'{}' is not KEY=VALUE", text),
         "write --set path.to.key=value, such as --set cluster.nodes=64");
  }
  const bool empty = text.find_first_not_of(' ', sign + 1) == std::string::npos;
  if (appends && empty) fail(source, sign, 1, "nothing to append", "write --set path.to.list+=ELEMENT");
  const bool removes = empty;
  Node value;
  if (!removes) value = parse_yaml(source, std::string(sign + 1, ' ') + text.substr(sign + 1), true);

  Node* node = &root;
  for (std::size_t begin = 0; begin < equals;) {
    const std::size_t end = std::min(text.find('.', begin), equals);
    const std::string segment = text.substr(begin, end - begin);
    const std::string here = text.substr(0, begin == 0 ? 0 : begin - 1);
    if (segment.empty()) fail(source, begin, 1, "empty key in the path", "write --set path.to.key=value");
    const Mark mark{source, 1, static_cast<int>(begin) + 1, static_cast<int>(segment.size())};
    if (!reference_folder(here).empty()) {
      Diagnostics found;
      resolve_references(*node, here, catalogue, found);
      found.throw_if_errors();
    }
    if (node->kind == Node::Kind::null) become_map(*node, mark);
    if (node->is_scalar())
      fail(source, begin, segment.size(), fmt::format("{} is a single value and has no '{}' inside", here, segment));
    const bool last = end == equals;
    if (node->is_sequence()) {
      node = item_of(*node, segment);
      if (!node)
        fail(source, begin, segment.size(), fmt::format("{} has no element '{}'", here, segment), "elements are counted from 0");
    } else if (last && removes) {
      std::erase_if(node->entries, [&](const Entry& e) { return e.key == segment; });
      return;
    } else {
      Entry* entry = node->find(segment);
      if (!entry) entry = &node->entries.emplace_back(Entry{segment, mark, {}});
      if (last) entry->key_mark = mark;
      node = &entry->value;
    }
    begin = end + 1;
  }
  if (appends) {
    if (node->is_scalar() || node->is_map())
      fail(source, 0, equals,
           fmt::format("{} is {}, and elements are appended to lists", text.substr(0, equals), kind_name(node->kind)),
           "write KEY=VALUE to replace it");
    node = &append_item(*node, value.mark);
  }
  *node = std::move(value);
}

}  // namespace gridlock::scenario
