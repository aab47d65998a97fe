// In which order rings and chains visit the GPUs of a node whose NVLinks join pairs (kind mesh).
//
// A ring over NVLink is a closed tour of all members over cables. Tours that share no cable can run at once, each in both
// directions; NCCL's search finds as many as the cables allow, here all sets are tried (nodes have at most 16 GPUs).
//
// Worked example, DGX-1 with V100: eight pairs have two NVLinks and close a tour, 0-3-2-1-5-6-7-4-0; the eight pairs with one
// link close another, 0-1-3-7-5-4-6-2-0. The first can be used twice: three tours, six rings, each GPU's six links full both
// ways.
#pragma once

#include <span>
#include <vector>

#include "topology/fabric.hpp"

namespace gridlock::collectives {

// Most tours over different cables, each of all members; empty where there is none. REQUIRES members of one node of kind mesh.
std::vector<std::vector<topology::GpuId>> nvlink_tours(const topology::Fabric& fabric, std::span<const topology::GpuId> members);

// All members from `first` to `last` over NVLink where there is a way, the one whose narrowest pair has the most cables, then the
// one with the most in all; else from each member to the lowest one joined to it, or the lowest. `last` == `first`: ends
// anywhere.
std::vector<topology::GpuId> nvlink_chain(const topology::Fabric& fabric, std::span<const topology::GpuId> members,
                                          topology::GpuId first, topology::GpuId last);

// Whether the members of one node meet over NVLink alone: one of them, those of an NVSwitch, two of a mesh joined directly or
// through one GPU, and more of them that a tour joins.
bool meet_over_nvlink(const topology::Fabric& fabric, std::span<const topology::GpuId> members);

}  // namespace gridlock::collectives
