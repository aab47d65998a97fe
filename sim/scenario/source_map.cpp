#include "sim/scenario/source_map.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gridlock::scenario {

SourceMap::SourceMap(const Node& root) : file_{root.mark.source, 0, 0, 1} { add(root, ""); }

void SourceMap::add(const Node& node, const std::string& path) {
  const std::string prefix = path.empty() ? "" : path + ".";
  for (const Entry& entry : node.entries) {
    const std::string inner = prefix + entry.key;
    places_[inner] = entry.value.is_scalar() ? entry.value.mark : entry.key_mark;
    add(entry.value, inner);
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const std::string inner = fmt::format("{}{}", prefix, i);
    places_[inner] = node.items[i].mark;
    add(node.items[i], inner);
  }
}

Mark SourceMap::at(std::string path) const {
  std::replace(path.begin(), path.end(), '[', '.');
  path.erase(std::remove(path.begin(), path.end(), ']'), path.end());
  while (true) {
    if (const auto found = places_.find(path); found != places_.end()) return found->second;
    const std::size_t dot = path.rfind('.');
    if (dot == std::string::npos) return file_;
    path.resize(dot);
  }
}

}  // namespace gridlock::scenario
