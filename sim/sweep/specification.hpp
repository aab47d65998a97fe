// What to sweep: from the command line (--vary, --zip) or the scenario's `sweep:` block to axes.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/sweep_block.hpp"
#include "sim/sweep/axis.hpp"
#include "sim/sweep/values.hpp"

namespace gridlock::sweep {

// "cluster.fabric.nic=50..1600Gbps:32". Throws SpecificationError.
Axis parse_vary(const std::string& text);

// "cluster.nodes=64,128;parallelism.data=8,16": values that change together.
Axis parse_zip(const std::string& text);

// All axes of a sweep, --vary before --zip; with neither, those of the scenario's `sweep:` block. Checks that there is one, that
// no path is swept twice, and drops values that an axis has already.
std::vector<Axis> make_axes(const std::vector<std::string>& vary, const std::vector<std::string>& zip,
                            const scenario::SweepBlock& block);

}  // namespace gridlock::sweep
