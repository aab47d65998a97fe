#include "sim/sweep/cables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/report/link_kind.hpp"

namespace gridlock::sweep {

std::string cable_of(const std::string& kind) {
  // From the GPU outwards.
  constexpr std::array<std::string_view, 9> order{"GPU",  "NVSwitch", "PCIe switch", "CPU socket", "NIC",
                                                  "leaf", "spine",    "core",        "switch"};
  const std::size_t at = kind.find(" to ");
  const std::string from = kind.substr(0, at), to = kind.substr(at + 4);
  const bool outwards = std::ranges::find(order, from) <= std::ranges::find(order, to);
  return outwards ? from + " - " + to : to + " - " + from;
}

std::vector<std::string> cables_used(const Point& point) {
  std::vector<std::string> cables;
  for (const LinkUse& link : point.links)
    if (const std::string cable = cable_of(link.name); std::ranges::find(cables, cable) == cables.end()) cables.push_back(cable);
  return cables;
}

void scale_cables(topology::Fabric& fabric, const std::string& cable, double factor) {
  for (topology::LinkId link = 0; link < fabric.link_count(); ++link)
    if (cable_of(report::link_kind(fabric, link)) == cable) fabric.graph[fabric.link_edges[link]].bytes_per_s *= factor;
}

std::string cable_pattern(const std::string& link_name, std::uint64_t cables) {
  std::string text = link_name;
  text.replace(text.find("->"), 2, ":");
  return cables > 1 ? text + "#0" : text;
}

}  // namespace gridlock::sweep
