// Any bytes to each importer: what it reads, or its one error. The first byte chooses.
#include <cmath>
#include <sstream>

#include "calibrate/import/gemm_csv.hpp"
#include "calibrate/import/node_topology.hpp"

using namespace gridlock::calibrate;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  try {
    if (data[0] % 3 == 0) {
      std::istringstream in(text);
      for (const Point& point : read_gemm_csv(in, "fuzz"))
        if (point.seconds.size() != 1 || !(point.seconds[0] > 0) || !std::isfinite(point.seconds[0])) __builtin_trap();
      return 0;
    }
    const NodeTopology node = data[0] % 3 == 1 ? read_topology_matrix(text, "fuzz") : read_nccl_topology(text, "fuzz");
    if (node.gpus < 1 || node_yaml(node, {"h100-sxm", 450e9, 63e9, 50e9}, "fuzz").empty()) __builtin_trap();
  } catch (const PointError&) {
  } catch (const ImportError&) {
  }
  return 0;
}
