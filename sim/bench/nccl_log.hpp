// Tables that nccl-tests or rccl-tests printed, as text or as their JSON (-J; -Z json), read leniently: lines of other ranks,
// warnings and cut ends are passed over, and what was left out is said.
//
// A text row is: size, count, type [, redop] [, root], then time, algbw, busbw [, #wrong or error] [, four columns a call] out of
// place, and the same in place. Times are microseconds. Which columns there are is read from the table's header; without one it
// is guessed from their number. Sources: NVIDIA/nccl-tests 2.19.6 src/util.cu, ROCm/rccl-tests src/common.cu.
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
  std::optional<collectives::Kind> kind;  // where the log names the test; tables of another test after the first are passed over
  std::vector<MeasuredRow> rows;          // by size; of a size that occurs twice, the faster one
  std::vector<std::string> problems;      // "line 12: ..." for lines that look like rows and could not be used
};

// Throws scenario::FileError when the file cannot be read, std::invalid_argument when it has no usable row.
NcclLog read_nccl_log(const std::string& path);
NcclLog parse_nccl_log(std::string_view text);

}  // namespace gridlock::bench
