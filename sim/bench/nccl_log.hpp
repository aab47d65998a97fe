// Tables that nccl-tests (or rccl-tests) printed, as text or as its JSON (-J), read leniently: lines of other ranks, warnings and
// cut ends are passed over, and what was left out is said.
//
// A text row is: size, count, type [, redop] [, root], then time, algbw, busbw [, #wrong or error] out of place, and the same in
// place. Times are microseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/collective.hpp"

namespace gridlock::bench {

struct MeasuredRow {
  std::uint64_t bytes = 0;
  std::optional<double> out_of_place_s, in_place_s;
  double best_s() const;  // the smaller one
};

struct NcclLog {
  std::optional<collectives::Kind> kind;  // where the log names the test
  std::vector<MeasuredRow> rows;          // by size; of a size that occurs twice, the faster one
  std::vector<std::string> problems;      // "line 12: ..." for lines that look like rows and could not be used
};

// Throws scenario::FileError when the file cannot be read, std::invalid_argument when it has no usable row.
NcclLog read_nccl_log(const std::string& path);
NcclLog parse_nccl_log(std::string_view text);

}  // namespace gridlock::bench
