// What a machine's own tools say of one node, as a file of the hardware catalogue (scenarios/hardware/).
//
// Two sources: the matrix of `nvidia-smi topo -m`, and the XML that NCCL writes where NCCL_TOPO_DUMP_FILE says. The matrix has
// counts alone; rates come from the device's generation or from whoever asks.
//
//   NVLink rate of a GPU, one direction = links * rate of a link: 25 GB/s (NVLink 2 to 4), 50 GB/s (NVLink 5)
//     (NVIDIA's NVLink pages: V100 300 GB/s both ways over 6, A100 600 over 12, H100 900 over 18, B200 1,800 over 18)
//   PCIe rate of a link, one direction  = lanes * GT/s * encoding / 8: 128b/130b from 8 GT/s on; less 1.5 % of packet overhead
//     is left to the profile's efficiency
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gridlock::calibrate {

struct NodeTopology {
  int gpus = 0, nics = 0, sockets = 1;
  int nvlinks = 0;                                   // of each GPU; 0: none
  int compute_capability = 0;                        // 90 = Hopper; 0: not known
  double pcie_bytes_per_s = 0, nic_bytes_per_s = 0;  // 0: not known
  std::vector<std::string> remarks;                  // what was seen and cannot be said in the file
};

// Text that is not what the tool prints, or a machine that a node of the catalogue cannot describe.
struct ImportError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Output of `nvidia-smi topo -m`, with or without what was printed around it. `name` is for messages.
NodeTopology read_topology_matrix(std::string_view text, const std::string& name);

// NCCL's topology dump.
NodeTopology read_nccl_topology(const std::string& text, const std::string& name);

// What the sources leave open.
struct NodeRates {
  std::string gpu;                           // of the catalogue: "h100-sxm"
  std::optional<double> nvlink_bytes_per_s;  // of a GPU, one direction
  std::optional<double> pcie_bytes_per_s, nic_bytes_per_s;
};

// The catalogue file. Throws ImportError when a rate is neither in the source nor given.
std::string node_yaml(const NodeTopology& node, const NodeRates& rates, const std::string& source);

}  // namespace gridlock::calibrate
