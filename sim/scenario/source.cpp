#include "sim/scenario/source.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "sim/scenario/diagnostic.hpp"

namespace gridlock::scenario {

SourcePtr read_source(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw FileError(path, fmt::format("cannot open '{}': no such file", path));
  if (fs::is_directory(status)) throw FileError(path, fmt::format("cannot read '{}': it is a directory", path));
  if (const auto size = fs::file_size(path, error); !error && size > max_source_bytes) {
    throw FileError(path, fmt::format("'{}' has {} bytes; scenario files may have {}", path, size, max_source_bytes));
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) throw FileError(path, fmt::format("cannot open '{}': {}", path, std::strerror(errno)));
  std::string text;
  char chunk[1 << 14];
  // A pipe has no size to check beforehand, so the limit is checked again while reading.
  while (in.read(chunk, sizeof chunk), in.gcount() > 0) {
    text.append(chunk, static_cast<std::size_t>(in.gcount()));
    if (text.size() > max_source_bytes) throw FileError(path, fmt::format("'{}' has more than {} bytes", path, max_source_bytes));
  }
  if (in.bad()) throw FileError(path, fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  return std::make_shared<const Source>(Source{path, std::move(text)});
}

std::string_view line_of(std::string_view text, int line) {
  std::size_t begin = 0;
  for (int i = 1; i < line; ++i) {
    begin = text.find('\n', begin);
    if (begin == std::string_view::npos) return {};
    ++begin;
  }
  std::string_view rest = text.substr(begin);
  rest = rest.substr(0, rest.find('\n'));
  if (!rest.empty() && rest.back() == '\r') rest.remove_suffix(1);
  return rest;
}

std::size_t first_bad_byte(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned lead = byte(i);
    std::size_t more = 0;
    if (lead == 0) return i;
    if (lead >= 0xf0 && lead <= 0xf4) {
      more = 3;
    } else if (lead >= 0xe0) {
      more = 2;
    } else if (lead >= 0xc2) {
      more = 1;
    } else if (lead >= 0x80) {
      return i;
    }
    if (lead > 0xf4) return i;
    // Second bytes that would spell a code point in too many bytes, a surrogate, or one above U+10FFFF.
    const unsigned second = byte(i + 1);
    if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) || (lead == 0xf0 && second < 0x90) ||
        (lead == 0xf4 && second > 0x8f)) {
      return i;
    }
    for (std::size_t k = 1; k <= more; ++k) {
      if ((byte(i + k) & 0xc0u) != 0x80u) return i;
    }
    i += more + 1;
  }
  return std::string_view::npos;
}

std::string fnv1a64(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return fmt::format("{:016x}", hash);
}

}  // namespace gridlock::scenario
