#include <fmt/format.h>

#include <algorithm>
#include <boost/property_tree/xml_parser.hpp>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "calibrate/import/node_topology.hpp"

namespace gridlock::calibrate {
namespace {

using boost::property_tree::ptree;

constexpr int deepest = 64;                            // elements inside each other: real dumps have about six
constexpr std::size_t largest = std::size_t{8} << 20;  // bytes: real dumps have tens of kilobytes

// The XML library recurses into elements: what is nested beyond reason is refused before it sees it.
void check_depth(const std::string& text, const std::string& name) {
  int depth = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == '<' && text[i + 1] == '/')
      --depth;
    else if (text[i] == '<' && text[i + 1] != '!' && text[i + 1] != '?')
      ++depth;
    else if (text[i] == '/' && text[i + 1] == '>')
      --depth;
    if (depth > deepest) throw ImportError(fmt::format("{}: elements nested more than {} deep", name, deepest));
  }
}

struct Found {
  std::map<std::string, int> nvlinks;  // by bus id of the GPU
  std::set<std::string> sockets;
  std::set<std::string> ports;  // NICs that carry traffic
  double pcie = 0, nic = 0;
  int compute_capability = 0;
};

// "32.0 GT/s PCIe" and "16" lanes as bytes per second of one direction; 0 when it says something else.
double pcie_rate(const std::string& speed, int lanes) {
  double transfers = 0;
  std::istringstream in(speed);
  if (!(in >> transfers) || !std::isfinite(transfers) || transfers <= 0 || transfers > 1000 || lanes <= 0 || lanes > 64) return 0;
  const double encoding = transfers < 8 ? 0.8 : 128.0 / 130.0;
  return transfers * 1e9 * encoding / 8 * lanes;
}

void visit(const ptree& element, const std::string& bus, double pcie, Found& found) {
  for (const auto& [tag, child] : element) {
    const auto text = [&child = child](const char* attribute) {
      return child.get<std::string>(std::string("<xmlattr>.") + attribute, "");
    };
    const auto number = [&child = child](const char* attribute) {
      return child.get<double>(std::string("<xmlattr>.") + attribute, 0);
    };
    std::string here = bus;
    double rate = pcie;
    if (tag == "cpu") found.sockets.insert(text("numaid"));
    if (tag == "pci") {
      here = text("busid");
      rate = pcie_rate(text("link_speed"), static_cast<int>(std::clamp(number("link_width"), 0.0, 64.0)));
    }
    if (tag == "gpu") {
      found.nvlinks.try_emplace(here, 0);
      found.pcie = std::max(found.pcie, rate);
      found.compute_capability = std::max(found.compute_capability, static_cast<int>(std::clamp(number("sm"), 0.0, 999.0)));
    }
    if (tag == "nvlink") found.nvlinks[here] += static_cast<int>(std::clamp(number("count"), 0.0, 1000.0));
    if (tag == "net" && number("speed") > 0) {
      found.ports.insert(text("name"));
      found.nic = std::max(found.nic, number("speed") * 1e6 / 8);  // Mbit/s
    }
    visit(child, here, rate, found);
  }
}

}  // namespace

NodeTopology read_nccl_topology(const std::string& text, const std::string& name) {
  if (text.size() > largest)
    throw ImportError(fmt::format("{}: more than {} MB are no topology of one node", name, largest >> 20));
  check_depth(text, name);
  ptree tree;
  try {
    std::istringstream in(text);
    boost::property_tree::read_xml(in, tree);
  } catch (const boost::property_tree::xml_parser_error& error) {
    throw ImportError(fmt::format("{}:{}: {}", name, error.line(), error.message()));
  }
  const auto system = tree.get_child_optional("system");
  if (!system) throw ImportError(fmt::format("{}: no <system> as NCCL writes it to NCCL_TOPO_DUMP_FILE", name));
  Found found;
  visit(*system, "", 0, found);
  NodeTopology node;
  node.gpus = static_cast<int>(found.nvlinks.size());
  if (node.gpus == 0) throw ImportError(fmt::format("{}: no GPU in it", name));
  node.nics = static_cast<int>(found.ports.size());
  node.sockets = std::max(static_cast<int>(found.sockets.size()), 1);
  node.nvlinks = found.nvlinks.begin()->second;
  for (const auto& [bus, links] : found.nvlinks)
    if (links != node.nvlinks)
      throw ImportError(fmt::format("{}: GPU {} has {} NVLinks and another {}: the catalogue knows nodes whose GPUs are alike",
                                    name, bus, links, node.nvlinks));
  node.compute_capability = found.compute_capability;
  node.pcie_bytes_per_s = found.pcie;
  node.nic_bytes_per_s = found.nic;
  return node;
}

}  // namespace gridlock::calibrate
