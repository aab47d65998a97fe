// The key `cluster.placement`: packed, scattered, or the physical node of each logical node in rank order.
#include <fmt/format.h>

#include <charconv>

#include "sim/scenario/declarations.hpp"

namespace gridlock::scenario {
namespace {

using topology::PlacementKind;

// "3", "node3" or "0-7" appended to `nodes`. False: none of these, or more nodes than any cluster has.
bool append_range(std::string_view text, std::vector<int>& nodes) {
  if (text.starts_with("node")) text.remove_prefix(4);
  int first = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, first);
  if (error != std::errc() || first < 0) return false;
  int last = first;
  if (at != end) {
    if (*at != '-') return false;
    const auto second = std::from_chars(at + 1, end, last);
    if (second.ec != std::errc() || second.ptr != end || last < first) return false;
  }
  if (last >= most_gpus || static_cast<double>(nodes.size()) + (last - first) >= most_gpus) return false;
  for (int n = first; n <= last; ++n) nodes.push_back(n);
  return true;
}

// "0-7,12,16-23"
bool append_ranges(std::string_view text, std::vector<int>& nodes) {
  while (true) {
    const std::size_t comma = text.find(',');
    if (!append_range(text.substr(0, comma), nodes)) return false;
    if (comma == std::string_view::npos) return true;
    text.remove_prefix(comma + 1);
  }
}

// [0, 1, 2, 7] as "0-2", "7"
nlohmann::ordered_json ranges_of(const std::vector<int>& nodes) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < nodes.size();) {
    std::size_t j = i;
    while (j + 1 < nodes.size() && nodes[j + 1] == nodes[j] + 1) ++j;
    out.push_back(i == j ? fmt::format("{}", nodes[i]) : fmt::format("{}-{}", nodes[i], nodes[j]));
    i = j + 1;
  }
  return out;
}

void read_placement(const Node& node, ReadErrors& errors, topology::PlacementSpec& placement) {
  constexpr const char* help = "write packed, scattered, a file, or a list such as [0-7, 12, 16-23] in rank order";
  if (node.is_scalar() && (node.text == "packed" || node.text == "scattered")) {
    placement.kind = node.text == "packed" ? PlacementKind::packed : PlacementKind::scattered;
    return;
  }
  placement.kind = PlacementKind::listed;
  if (node.is_sequence()) {
    for (const Node& item : node.items) {
      if (item.is_scalar() && append_range(item.text, placement.nodes)) continue;
      errors.error(item, fmt::format("{} is no node number and no range of nodes", shown(item)), help);
    }
  } else if (!node.is_scalar() || !append_ranges(node.text, placement.nodes)) {
    errors.error(node, fmt::format("{} is no placement", shown(node)), help);
  }
}

}  // namespace

Custom placement_type(topology::PlacementSpec& placement) {
  Custom type;
  type.type = "packed, scattered, a list of node numbers and ranges, or a file with one node a line, in rank order";
  type.schema = {{"anyOf",
                  {{{"type", "string"}},
                   {{"type", "array"}, {"items", {{"type", {"integer", "string"}}, {"pattern", "^(node)?[0-9]+(-[0-9]+)?$"}}}}}}};
  type.read = [&placement](const Node& node, ReadErrors& errors) { read_placement(node, errors, placement); };
  type.write = [&placement]() -> nlohmann::ordered_json {
    if (placement.kind == PlacementKind::listed) return ranges_of(placement.nodes);
    return placement.kind == PlacementKind::packed ? "packed" : "scattered";
  };
  return type;
}

}  // namespace gridlock::scenario
