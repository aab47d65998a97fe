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

void become_map(Node& node, const Mark& mark) {
  node = Node{};
  node.kind = Node::Kind::map;
  node.mark = mark;
}

}  // namespace

void apply_override(Node& root, const std::string& text, Catalogue& catalogue) {
  const auto source = std::make_shared<const Source>(Source{std::string(override_source), text});
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    fail(source, 0, text.size(), fmt::format("'{}' is not KEY=VALUE", text),
         "write --set path.to.key=value, such as --set cluster.nodes=64");
  }
  const bool removes = text.find_first_not_of(' ', equals + 1) == std::string::npos;
  Node value;
  if (!removes) value = parse_yaml(source, std::string(equals + 1, ' ') + text.substr(equals + 1), true);

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
  *node = std::move(value);
}

}  // namespace gridlock::scenario
