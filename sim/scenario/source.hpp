// Text that a user wrote, and places in it. Every node, value and diagnostic keeps its Mark, so that a mistake found late
// (a fabric that cannot be built) still points at the line that caused it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace gridlock::scenario {

struct Source {
  std::string path;  // as the user would write it, or "--set"
  std::string text;
};
using SourcePtr = std::shared_ptr<const Source>;

// 1-based line and column (in bytes), and how many bytes the thing is long. Line 0: the file as a whole.
struct Mark {
  SourcePtr source;
  int line = 0, column = 0, length = 1;
};

// Whole file. Throws FileError: missing, a directory, unreadable, larger than max_source_bytes.
SourcePtr read_source(const std::string& path);

inline constexpr std::size_t max_source_bytes = 16u << 20;

// Line `line` (1-based) without its end; empty beyond the text.
std::string_view line_of(std::string_view text, int line);

// Byte offset of the first byte that is not UTF-8 or is NUL; npos when there is none.
std::size_t first_bad_byte(std::string_view text);

// FNV-1a, 64 bits, as 16 hex digits.
std::string fnv1a64(std::string_view bytes);

}  // namespace gridlock::scenario
