#include "sim/report/link_kind.hpp"

namespace gridlock::report {
namespace {

using topology::VertexKind;

std::string end_name(VertexKind kind) {
  switch (kind) {
    case VertexKind::gpu:
      return "GPU";
    case VertexKind::nvswitch:
      return "NVSwitch";
    case VertexKind::pcie_switch:
      return "PCIe switch";
    case VertexKind::socket:
      return "CPU socket";
    case VertexKind::nic:
      return "NIC";
    case VertexKind::leaf:
      return "leaf";
    case VertexKind::spine:
      return "spine";
    case VertexKind::core:
      return "core";
    case VertexKind::custom:
      return "switch";
  }
  return "device";
}

}  // namespace

std::string link_kind(const topology::Fabric& fabric, topology::LinkId link) {
  return end_name(fabric.graph[fabric.source(link)].kind) + " to " + end_name(fabric.graph[fabric.target(link)].kind);
}

}  // namespace gridlock::report
