// From points to what they say: knees, reversals, notes. Simulates nothing.
#pragma once

#include "sim/sweep/result_file.hpp"

namespace gridlock::sweep {

// Everything of a stored sweep, points included: for reports of sweeps that fit in memory.
Result analyse(const ResultFile& file);

// What else the reader must know: lines without a knee, values where the step is still getting faster.
std::vector<std::string> notes_on(const ResultFile& file, const std::vector<Knee>& knees);

// "cluster.fabric.nic, at cluster.fabric.routing=ecmp": a line of the grid.
std::string line_name(const Grid& grid, std::size_t axis, const std::vector<std::size_t>& held);

// "below 172Gbps the step takes more than 5 % longer than 2.10 s: data-parallel comm., bound by NIC to leaf, +101 ms; above it
// is bound by compute-bound kernels, 68 %".
std::string knee_text(const Header& header, const Knee& knee);

// "400Gbps -> 500Gbps takes 3.1 ms longer: ..."
std::string reversal_text(const Grid& grid, const Reversal& reversal);

}  // namespace gridlock::sweep
