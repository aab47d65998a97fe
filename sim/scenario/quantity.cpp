#include "sim/scenario/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

#include "sim/scenario/units.hpp"

namespace gridlock::scenario {
namespace {

using Error = QuantityError;

bool digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// YAML's and everybody's spellings of what is no number of anything.
bool is_not_finite(std::string_view text) {
  if (text[0] == '+' || text[0] == '-') text.remove_prefix(1);
  if (text.starts_with('.')) text.remove_prefix(1);
  std::string word(text.substr(0, 3));
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word == "nan" || word == "inf";
}

struct Split {
  std::string_view mantissa;  // sign, digits, point
  int exponent = 0;
  std::string_view suffix;
};

// [+-] digits [. digits] [e [+-] digits] [blank] suffix
std::variant<Split, Error> split(std::string_view whole, std::string_view example) {
  std::string_view text = trim(whole);
  const std::string such_as = fmt::format("write a number such as {}", example);
  if (text.empty()) return Error{"the value is empty", such_as};
  if (is_not_finite(text)) return Error{fmt::format("'{}' is not a finite number", whole), such_as};
  std::size_t i = text[0] == '+' || text[0] == '-' ? 1 : 0;
  const std::size_t first = i;
  while (i < text.size() && digit(text[i])) ++i;
  const std::size_t whole_digits = i - first;
  std::size_t fraction_digits = 0;
  if (i < text.size() && text[i] == '.') {
    const std::size_t point = i++;
    while (i < text.size() && digit(text[i])) ++i;
    fraction_digits = i - point - 1;
  }
  if (whole_digits + fraction_digits == 0) return Error{fmt::format("'{}' is not a number", whole), such_as};
  if (whole_digits > 1 && text[first] == '0') {
    return Error{fmt::format("'{}' starts with a zero, which some YAML readers take for octal", whole),
                 "write the number without leading zeros"};
  }
  if (i < text.size() && whole_digits == 1 && text[first] == '0' && (text[i] == 'x' || text[i] == 'o')) {
    return Error{fmt::format("'{}' is not a decimal number", whole), "write it in decimal"};
  }
  if (i < text.size() && (text[i] == ',' || text[i] == '_' || text[i] == '\'')) {
    return Error{fmt::format("'{}' has a separator in its number", whole),
                 "write the digits without separators, with a point for decimals"};
  }
  Split out{text.substr(0, i), 0, {}};
  if (i + 1 < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    const std::size_t digits = i + (text[i + 1] == '+' || text[i + 1] == '-' ? 2u : 1u);
    if (digits < text.size() && digit(text[digits])) {
      const char* begin = text.data() + i + (text[i + 1] == '+' ? 2 : 1);
      const auto [end, error] = std::from_chars(begin, text.data() + text.size(), out.exponent);
      if (error != std::errc() || std::abs(out.exponent) > 400) return Error{fmt::format("'{}' is out of range", whole), such_as};
      i = static_cast<std::size_t>(end - text.data());
    }
  }
  out.suffix = trim(text.substr(i));
  return out;
}

std::optional<double> to_double(const Split& s, const Suffix& suffix) {
  std::string text = fmt::format("{}e{}", s.mantissa[0] == '+' ? s.mantissa.substr(1) : s.mantissa, s.exponent + suffix.decimal);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  value *= suffix.factor;
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

std::string number_text(const Split& s) {
  return s.exponent == 0 ? std::string(s.mantissa) : fmt::format("{}e{}", s.mantissa, s.exponent);
}

// Ethernet and InfiniBand ports, in Gb/s.
bool known_port_rate(double gbps) {
  constexpr std::array rates = {25.0, 40.0, 100.0, 200.0, 400.0, 800.0, 1600.0};
  return std::find(rates.begin(), rates.end(), gbps) != rates.end();
}

}  // namespace

std::variant<Quantity, QuantityError> parse_quantity(std::string_view text, Unit unit) {
  auto parts = split(text, unit_example(unit));
  if (Error* error = std::get_if<Error>(&parts)) return *error;
  const Split& s = std::get<Split>(parts);
  const Suffix* suffix = find_suffix(unit, s.suffix);
  // Bits in a field of bytes and the other way round are understood: the unit says what is meant.
  const bool other_rate = !suffix && (unit == Unit::network || unit == Unit::bandwidth);
  if (other_rate) suffix = find_suffix(unit == Unit::network ? Unit::bandwidth : Unit::network, s.suffix);
  if (!suffix && unit == Unit::seconds && s.suffix.empty() && s.mantissa == "0")
    suffix = find_suffix(unit, "s");  // 0 needs no unit
  if (!suffix) return explain_suffix(text, number_text(s), s.suffix, unit);
  const std::optional<double> value = to_double(s, *suffix);
  if (!value)
    return Error{fmt::format("'{}' is out of range", text), fmt::format("write a number such as {}", unit_example(unit))};
  Quantity out{*value, {}};
  if (other_rate && unit == Unit::network && known_port_rate(out.value / 1e9)) {
    out.warning = fmt::format("{:g} GB/s (bytes) is {:g} Gb/s; a {:g} Gb/s port is written {:g}Gbps", out.value / 1e9,
                              out.value * 8 / 1e9, out.value / 1e9, out.value / 1e9);
  }
  if (other_rate && unit == Unit::bandwidth) {
    out.warning = fmt::format("{:g} Gb/s (bits) is {:g} GB/s; {:g} GB/s is written {:g}GBps", out.value * 8 / 1e9,
                              out.value / 1e9, out.value * 8 / 1e9, out.value * 8 / 1e9);
  }
  return out;
}

std::variant<std::int64_t, QuantityError> parse_integer(std::string_view text) {
  auto parts = split(text, "512");
  if (Error* error = std::get_if<Error>(&parts)) return *error;
  const Split& s = std::get<Split>(parts);
  const Suffix* suffix = find_suffix(Unit::count, s.suffix);
  if (!suffix) return Error{fmt::format("'{}' is not a whole number", text), "write it without a unit, such as 512"};
  const std::optional<double> value = to_double(s, *suffix);
  constexpr double exact = 9007199254740992.0;  // 2^53: doubles hold every integer below
  if (!value || std::abs(*value) > exact) return Error{fmt::format("'{}' is out of range", text), "write a smaller number"};
  if (*value != std::floor(*value))
    return Error{fmt::format("'{}' is not a whole number", text), "write a number without a fraction"};
  return static_cast<std::int64_t>(*value);
}

std::string format_quantity(double value, Unit unit) {
  std::string best;
  for (const Suffix& suffix : info(unit).suffixes) {
    const std::string text = fmt::format("{}{}", value / suffix.factor / std::pow(10.0, suffix.decimal), suffix.text);
    const auto back = parse_quantity(text, unit);
    const Quantity* same = std::get_if<Quantity>(&back);
    if (same && same->value == value && (best.empty() || text.size() < best.size())) best = text;
  }
  return best;
}

std::string_view unit_name(Unit unit) { return info(unit).name; }

std::string_view unit_example(Unit unit) { return info(unit).example; }

}  // namespace gridlock::scenario
