// GPUs joined pair by pair with NVLink cables, as in the hybrid cube mesh of DGX-1 or by NVLink bridges; all else is PCIe. The
// links of one pair are one trunk: NCCL spreads its channels over them.
#include "topology/builder.hpp"

namespace gridlock::topology {

void add_mesh_node(Builder& builder, int node) {
  const NodeSpec& spec = builder.fabric.spec.node;
  add_devices_and_pcie(builder, node);
  const std::size_t first_gpu = static_cast<std::size_t>(node) * spec.gpus;
  for (const NvlinkPair& pair : spec.nvlink_pairs) {
    builder.join(builder.fabric.gpu_vertices[first_gpu + pair.a], builder.fabric.gpu_vertices[first_gpu + pair.b],
                 LinkKind::nvlink, spec.nvlink_bytes_per_s, static_cast<std::uint32_t>(pair.links));
  }
}

}  // namespace gridlock::topology
