// HGX and DGX boards: the NVSwitches are one vertex, for each GPU spreads its NVLinks evenly over them and none blocks.
#include "topology/builder.hpp"

namespace gridlock::topology {

void add_nvswitch_node(Builder& builder, int node) {
  const NodeSpec& spec = builder.fabric.spec.node;
  add_devices_and_pcie(builder, node);
  const VertexId plane = builder.add_vertex({VertexKind::nvswitch, node, 0, -1, 1});
  const std::size_t first_gpu = static_cast<std::size_t>(node) * spec.gpus;
  for (int i = 0; i < spec.gpus; ++i) {
    builder.join(builder.fabric.gpu_vertices[first_gpu + i], plane, LinkKind::nvlink, spec.nvlink_bytes_per_s);
  }
}

}  // namespace gridlock::topology
