// Tables as nccl-tests prints them: the same sizes, columns and widths, so that simulated and measured logs can be diffed.
// Format and conventions: NVIDIA/nccl-tests README.md and doc/PERFORMANCE.md (2.13 to 2.16).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/collective.hpp"

namespace gridlock::collectives {

// A size as nccl-tests' -b and -e take it: a number, whole or not, with K, M or G (either case, powers of 1024) or nothing.
// Throws std::invalid_argument saying what is wrong.
std::uint64_t parse_size(std::string_view text);

// From `min` to `max`, times `factor` each when factor > 1, else plus `step` (nccl-tests' default is 1 MiB).
// Throws std::invalid_argument when min > max, or when the series would not advance or has more than 100,000 sizes.
std::vector<std::uint64_t> size_series(std::uint64_t min, std::uint64_t max, double factor, std::uint64_t step = 1u << 20);

// What nccl-tests runs for a requested size, in floats: those with a part a rank (has_part_per_rank) split it in
// parts of whole 16 bytes, so the size run is n * part, and the count printed is that of one part.
struct CallSize {
  std::uint64_t bytes = 0;  // printed size, and what algbw refers to
  std::uint64_t count = 0;  // elements of 4 bytes
};
CallSize call_size(Kind kind, int ranks, std::uint64_t requested_bytes);

struct TableRow {
  CallSize size;
  double time_s = 0;
  double algbw_bytes_per_s() const;
  double busbw_bytes_per_s(Kind kind, int ranks) const;
};

// Header, rows and the average bus bandwidth. Simulated calls take the same time out of place and in place, so both halves of
// a row are equal; nothing is computed, so #wrong is N/A.
std::string nccl_table(Kind kind, int ranks, const std::vector<TableRow>& rows);

}  // namespace gridlock::collectives
