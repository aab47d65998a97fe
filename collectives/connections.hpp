// The connections between nodes: each channel has one to each peer, spread over queue pairs (or sockets) of a fabric.
//
//   most of a connection = queue pairs * most of a queue pair
//   most of a ring, tree, ... edge = channels * most of a connection;   of a point-to-point pair = 2 channels
//
// Worked example: sockets of 1.5 GB/s, 4 a connection, a ring of 2 channels: 12 GB/s, however fast the NIC.
#pragma once

#include "collectives/tuning.hpp"

namespace gridlock::collectives {

// Wire bytes per second that the channels of an algorithm move between two nodes; infinity where nothing limits a connection.
double connections_bytes_per_s(Algorithm algorithm, const CommunicatorShape& shape, const TuningParameters& parameters);

}  // namespace gridlock::collectives
