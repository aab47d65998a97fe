// Inside of build_fabric: what node and fabric builders share. Not for users of the library.
#pragma once

#include <cstdint>
#include <vector>

#include "topology/fabric.hpp"

namespace gridlock::topology {

// Collects the vertices and links of a Fabric. Link capacity = wire rate * cables * payload efficiency of its kind.
class Builder {
 public:
  Builder(Fabric& fabric, const LinkParameters& parameters);

  VertexId add_vertex(const Vertex& vertex);
  // One cable of `wire` bytes/s a direction; both directions get consecutive link ids, a->b first.
  void join(VertexId a, VertexId b, LinkKind kind, double wire, std::uint32_t cables = 1, std::int32_t lane = -1);
  void add_link(VertexId a, VertexId b, LinkKind kind, double wire, double latency_s, std::uint32_t cables, std::int32_t lane);

  double latency(LinkKind kind) const;
  double nic_wire() const;  // bytes/s of a NIC's port, which the fabric may override
  VertexId nic(int node, int index) const {
    return fabric.nic_vertices[static_cast<std::size_t>(node) * fabric.spec.node.nics + index];
  }

  Fabric& fabric;
  const LinkParameters& parameters;
  std::vector<Vertex> vertices;  // by VertexId
  std::vector<Cable> links;      // by LinkId

 private:
  double efficiency(LinkKind kind, std::uint32_t cables) const;
};

// The GPU beside NIC i: the first of the GPUs nearest to it.
inline int gpu_beside_nic(const NodeSpec& node, int nic) { return static_cast<int>(std::int64_t{nic} * node.gpus / node.nics); }

// Node builders: add the devices and links of one node, always in the same order, and register its GPUs and NICs.
void add_nvswitch_node(Builder& builder, int node);
void add_pcie_node(Builder& builder, int node);
void add_mesh_node(Builder& builder, int node);
// The part all have: GPU -pcie- PCIe switch -pcie- NIC, PCIe switches -pcie- sockets, sockets joined.
void add_devices_and_pcie(Builder& builder, int node);

// Fabric builders: join the NICs of nodes that exist already.
void add_tree(Builder& builder, const TreePlan& plan);
void add_custom(Builder& builder);

// Slows the links and cables that the faults match. SpecError at "faults.links.<i>.match" when one matches nothing.
void apply_faults(Fabric& fabric, const std::vector<LinkFault>& faults);

}  // namespace gridlock::topology
