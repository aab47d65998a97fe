#include "sim/report/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace gridlock::report {
namespace {

// Three significant figures, no exponent.
std::string three_figures(double value) {
  const double magnitude = std::abs(value);
  const int decimals = magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f}", value, decimals);
}

template <std::size_t N>
std::string scaled(double value, const std::array<std::pair<double, std::string_view>, N>& units) {
  for (const auto& [scale, unit] : units)
    if (std::abs(value) >= scale * 0.9995) return fmt::format("{} {}", three_figures(value / scale), unit);
  return fmt::format("{} {}", three_figures(value / units.back().first), units.back().second);
}

}  // namespace

std::string seconds(double value) {
  static constexpr std::array<std::pair<double, std::string_view>, 4> units{{{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}}};
  return value == 0 ? "0 s" : scaled(value, units);
}

std::string bytes(double value) {
  static constexpr std::array<std::pair<double, std::string_view>, 5> units{
      {{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}}};
  return scaled(value, units);
}

std::string bytes_per_second(double value) { return bytes(value) + "/s"; }

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string thousands(double value) {
  std::string digits = fmt::format("{:.0f}", value);
  for (int i = static_cast<int>(digits.size()) - 3; i > (value < 0 ? 1 : 0); i -= 3)
    digits.insert(static_cast<std::size_t>(i), ",");
  return digits;
}

std::string bar(double share, int width) {
  static constexpr std::array<std::string_view, 8> eighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const int filled = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * width * 8));
  std::string text;
  for (int i = 0; i < filled / 8; ++i) text += "█";
  text += eighths[static_cast<std::size_t>(filled % 8)];
  return text;
}

std::string clip(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 3) + "...";
}

}  // namespace gridlock::report
