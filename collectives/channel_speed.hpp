// Channels behind other links than those they were measured behind. A profile's channel speeds hold for the NICs and NVLinks that
// it names; NCCL's graph search finds others elsewhere.
//
// Between nodes, channels get one of a list of speeds, the fastest that the NIC carries, and as many share a NIC as fit:
//
//   speed s = largest of the generation's list with s <= B;   the NIC's channels together: S(B) = s floor(B / s)
//
// B: port rate of the NIC, bytes/s. Lists: NVIDIA/nccl v2.28.9-1 src/graph/search.cc. Behind a NIC of rate B, channels that were
// measured behind one of rate B0 move S(B) / S(B0) as much; inside a node, behind NVLinks of rate V instead of V0, V / V0 as
// much. Faster links: the channels really move more (until links bound them). Slower links bound what flows by themselves, and
// only the tuner expects less.
//
// Worked example, Hopper: 400 Gb/s = 50 GB/s carries one channel of 48 GB/s, 800 Gb/s two, 200 Gb/s one of 24. So 48 GB/s
// measured behind 400 Gb/s are 96 behind 800 (where PCIe 5 then gives 51), and the tuner expects 24 behind 200.
#pragma once

#include "collectives/tuning.hpp"

namespace gridlock::collectives {

// S(B). A NIC below the slowest speed of the list counts with its own rate.
// REQUIRES nic_bytes_per_s > 0.
double searched_bytes_per_s(Generation generation, double nic_bytes_per_s);

// `parameters` with what the channels really move behind the links of `shape`, and with what the tuner expects of them.
TuningParameters moved_behind(const TuningParameters& parameters, const CommunicatorShape& shape);
TuningParameters expected_behind(const TuningParameters& parameters, const CommunicatorShape& shape);

}  // namespace gridlock::collectives
