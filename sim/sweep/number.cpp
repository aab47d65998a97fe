#include "sim/sweep/number.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "sim/scenario/units.hpp"

namespace gridlock::sweep {
namespace {

using scenario::Suffix;
using scenario::Unit;

constexpr std::array units{Unit::network, Unit::bandwidth, Unit::bytes, Unit::seconds, Unit::flops, Unit::count, Unit::ratio};

double scale(const Suffix& suffix) { return suffix.factor * std::pow(10.0, suffix.decimal); }

// Bits and bytes a second measure the same.
Unit measure(Unit unit) { return unit == Unit::bandwidth ? Unit::network : unit == Unit::ratio ? Unit::count : unit; }

bool known(const std::string& unit) {
  for (const Unit measured : units)
    if (scenario::find_suffix(measured, unit)) return true;
  return false;
}

}  // namespace

std::optional<Number> split_number(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !std::isfinite(value)) return std::nullopt;
  std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  if (!known(std::string(rest))) return std::nullopt;
  return Number{value, std::string(rest)};
}

std::optional<double> in_unit(const Number& number, const std::string& unit) {
  if (number.unit == unit) return number.value;
  for (const Unit from : units)
    for (const Unit to : units) {
      const Suffix* a = scenario::find_suffix(from, number.unit);
      const Suffix* b = scenario::find_suffix(to, unit);
      if (a && b && measure(from) == measure(to)) return number.value * scale(*a) / scale(*b);
    }
  return std::nullopt;
}

std::string number_with_unit(double value, const std::string& unit) { return fmt::format("{}{}", value, unit); }

}  // namespace gridlock::sweep
