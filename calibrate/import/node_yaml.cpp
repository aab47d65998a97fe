#include <fmt/format.h>

#include <algorithm>

#include "calibrate/import/node_topology.hpp"

namespace gridlock::calibrate {
namespace {

double nvlink_rate(const NodeTopology& node, const NodeRates& rates) {
  if (rates.nvlink_bytes_per_s) return *rates.nvlink_bytes_per_s;
  if (node.compute_capability == 0)
    throw ImportError(
        fmt::format("{} NVLinks a GPU, but not how fast one is: give the GPU's rate, such as --nvlink 450GBps", node.nvlinks));
  return node.nvlinks * (node.compute_capability >= 100 ? 50e9 : 25e9);
}

double needed(double seen, const std::optional<double>& given, const char* what, const char* option) {
  if (given) return *given;
  if (seen <= 0) throw ImportError(fmt::format("the source does not say how fast {} is: add {}", what, option));
  return seen;
}

}  // namespace

std::string node_yaml(const NodeTopology& node, const NodeRates& rates, const std::string& source) {
  if (rates.gpu.empty()) throw ImportError("say which GPU of the catalogue the node has, such as --gpu h100-sxm");
  std::string text = fmt::format("# From {}: {} GPUs with {} NVLinks each, {} NICs, {} NUMA nodes.\n", source, node.gpus,
                                 node.nvlinks, node.nics, node.sockets);
  for (const std::string& remark : node.remarks) text += "# " + remark + "\n";
  text += fmt::format("kind: {}\ngpu: {}\ngpus: {}\nnics: {}\nsockets: {}\n", node.nvlinks > 0 ? "nvswitch" : "pcie", rates.gpu,
                      node.gpus, node.nics, std::clamp(node.sockets, 1, 16));
  if (node.nvlinks > 0) text += fmt::format("nvlink: {:.6g}GBps\n", nvlink_rate(node, rates) * 1e-9);
  const double pcie = needed(node.pcie_bytes_per_s, rates.pcie_bytes_per_s, "PCIe", "--pcie 63GBps");
  text += fmt::format("pcie: {:.6g}GBps\n", pcie * 1e-9);
  text += "# Assumed: the source does not say how CPU sockets are joined.\n";
  text += fmt::format("socket_link: {:.6g}GBps\n", 3 * pcie * 1e-9);
  // A node without NICs stands alone: its rate is never used.
  const double nic = node.nics == 0 ? 1.25e9 : needed(node.nic_bytes_per_s, rates.nic_bytes_per_s, "a NIC", "--nic 400Gbps");
  return text + fmt::format("nic: {:.6g}Gbps\n", nic * 8e-9);
}

}  // namespace gridlock::calibrate
