#include "collectives/nccl_table.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <stdexcept>

namespace gridlock::collectives {
namespace {

constexpr std::uint64_t element_bytes = 4, part_alignment_bytes = 16;
constexpr std::size_t most_sizes = 100'000;

// Seven columns: fewer decimals as the time grows.
std::string time_column(double time_s) {
  const double us = time_s * 1e6;
  const int decimals = us >= 10000 ? 0 : us >= 100 ? 1 : 2;
  return fmt::format("{:7.{}f}", us, decimals);
}

}  // namespace

std::uint64_t parse_size(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc{}) throw std::invalid_argument(fmt::format("\"{}\" is not a size: write 8, 64K, 1.5M or 1G", text));
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  double scale = 1;
  if (unit == "K" || unit == "k") {
    scale = 1024;
  } else if (unit == "M" || unit == "m") {
    scale = 1024.0 * 1024;
  } else if (unit == "G" || unit == "g") {
    scale = 1024.0 * 1024 * 1024;
  } else if (!unit.empty()) {
    throw std::invalid_argument(fmt::format("unit \"{}\" of size \"{}\" is not K, M or G (powers of 1024)", unit, text));
  }
  const double bytes = std::floor(number * scale);
  if (!(bytes >= 1 && bytes < 0x1p63)) throw std::invalid_argument(fmt::format("size \"{}\" is out of range", text));
  return static_cast<std::uint64_t>(bytes);
}

std::vector<std::uint64_t> size_series(std::uint64_t min, std::uint64_t max, double factor, std::uint64_t step) {
  if (min > max) throw std::invalid_argument(fmt::format("smallest size {} is above the largest, {}", min, max));
  if (!std::isfinite(factor)) throw std::invalid_argument("the step factor must be a finite number");
  std::vector<std::uint64_t> sizes;
  for (double size = static_cast<double>(min); size <= static_cast<double>(max);) {
    if (sizes.size() == most_sizes) {
      throw std::invalid_argument(fmt::format("more than {} sizes between {} and {}: use a larger step", most_sizes, min, max));
    }
    sizes.push_back(static_cast<std::uint64_t>(size));
    const double next = std::floor(factor > 1 ? size * factor : size + static_cast<double>(step));
    if (next <= size) {
      if (min == max) break;
      throw std::invalid_argument(fmt::format("the sizes do not advance beyond {}: use a larger step", size));
    }
    size = next;
  }
  return sizes;
}

CallSize call_size(Kind kind, int ranks, std::uint64_t requested_bytes) {
  const std::uint64_t elements = requested_bytes / element_bytes;
  if (!has_part_per_rank(kind)) return {elements * element_bytes, elements};
  const auto n = static_cast<std::uint64_t>(ranks);
  const std::uint64_t alignment = part_alignment_bytes / element_bytes;
  const std::uint64_t part = elements / n / alignment * alignment;
  return {part * n * element_bytes, part};
}

double TableRow::algbw_bytes_per_s() const { return time_s > 0 ? static_cast<double>(size.bytes) / time_s : 0; }

double TableRow::busbw_bytes_per_s(Kind kind, int ranks) const { return algbw_bytes_per_s() * bus_factor(kind, ranks); }

std::string nccl_table(Kind kind, int ranks, const std::vector<TableRow>& rows) {
  std::string out = fmt::format("#{:>74}{:>31}{:10}\n", "out-of-place", "in-place", "");
  out += fmt::format("#{0:>11}{1:>14}{2:>10}{3:>8}{4:>8}{5:>9}{6:>8}{7:>8}{8:>7}{5:>9}{6:>8}{7:>8}{8:>7}\n", "size", "count",
                     "type", "redop", "root", "time", "algbw", "busbw", "#wrong");
  out += fmt::format("#{0:>11}{1:>14}{2:>35}{3:>8}{3:>8}{2:>16}{3:>8}{3:>8}{4:7}\n", "(B)", "(elements)", "(us)", "(GB/s)", "");
  double total = 0;
  for (const TableRow& row : rows) {
    const double algbw = row.algbw_bytes_per_s() / 1e9, busbw = row.busbw_bytes_per_s(kind, ranks) / 1e9;
    const std::string half = fmt::format("  {:>7}  {:6.2f}  {:6.2f}  {:>5}", time_column(row.time_s), algbw, busbw, "N/A");
    out += fmt::format("{:12}  {:12}  {:>8}  {:>6}  {:>6}{}{}\n", row.size.bytes, row.size.count, "float",
                       reduces(kind) ? "sum" : "none", has_root(kind) ? 0 : -1, half, half);
    total += busbw;
  }
  if (!rows.empty()) out += fmt::format("# Avg bus bandwidth    : {:g}\n", total / static_cast<double>(rows.size()));
  return out;
}

}  // namespace gridlock::collectives
