// A collective in one word of the command line: its kind, then options separated by colons.
//
//   all-to-all:ranks=8-15,24:size=64M:algo=ring:proto=simple:channels=1:imbalance=2:two-level
#pragma once

#include <string>

#include "sim/bench/benchmark.hpp"

namespace gridlock::bench {

// "0-7,16" as numbers; nothing for an empty text. Throws std::invalid_argument.
std::vector<std::uint32_t> parse_ranks(const std::string& text);

// Without size: `sizes` stays empty. Imbalance needs the number of ranks, so it is applied to those named, or else to
// `all_ranks`. Throws std::invalid_argument saying what is wrong with which part.
Request parse_concurrent(const std::string& spec, std::size_t all_ranks);

}  // namespace gridlock::bench
