#include "sim/scenario/quantity.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <span>

namespace gridlock::scenario {
namespace {

using Error = QuantityError;

struct Suffix {
  std::string_view text;
  int decimal = 0;    // power of ten
  double factor = 1;  // exact: power of two, 60, 3600
};

// Spelled out rather than composed of prefix and unit: what is not in the list is an error, and nothing is ambiguous.
constexpr std::array bits_suffixes = {Suffix{"bps", 0, 0.125},   Suffix{"b/s", 0, 0.125},   Suffix{"bit/s", 0, 0.125},
                                      Suffix{"kbps", 3, 0.125},  Suffix{"kb/s", 3, 0.125},  Suffix{"kbit/s", 3, 0.125},
                                      Suffix{"Mbps", 6, 0.125},  Suffix{"Mb/s", 6, 0.125},  Suffix{"Mbit/s", 6, 0.125},
                                      Suffix{"Gbps", 9, 0.125},  Suffix{"Gb/s", 9, 0.125},  Suffix{"Gbit/s", 9, 0.125},
                                      Suffix{"Tbps", 12, 0.125}, Suffix{"Tb/s", 12, 0.125}, Suffix{"Tbit/s", 12, 0.125}};
constexpr double Ki = 1024, Mi = Ki * 1024, Gi = Mi * 1024, Ti = Gi * 1024;
constexpr std::array byte_rate_suffixes = {
    Suffix{"Bps"},          Suffix{"B/s"},          Suffix{"kBps", 3},      Suffix{"kB/s", 3},      Suffix{"KB/s", 3},
    Suffix{"MBps", 6},      Suffix{"MB/s", 6},      Suffix{"GBps", 9},      Suffix{"GB/s", 9},      Suffix{"TBps", 12},
    Suffix{"TB/s", 12},     Suffix{"KiB/s", 0, Ki}, Suffix{"MiB/s", 0, Mi}, Suffix{"GiB/s", 0, Gi}, Suffix{"TiB/s", 0, Ti},
    Suffix{"KiBps", 0, Ki}, Suffix{"MiBps", 0, Mi}, Suffix{"GiBps", 0, Gi}, Suffix{"TiBps", 0, Ti}};
constexpr std::array byte_suffixes = {Suffix{"B"},          Suffix{"kB", 3},      Suffix{"KB", 3},     Suffix{"MB", 6},
                                      Suffix{"GB", 9},      Suffix{"TB", 12},     Suffix{"PB", 15},    Suffix{"KiB", 0, Ki},
                                      Suffix{"MiB", 0, Mi}, Suffix{"GiB", 0, Gi}, Suffix{"TiB", 0, Ti}};
constexpr std::array time_suffixes = {Suffix{"s"},      Suffix{"ms", -3},  Suffix{"us", -6},     Suffix{"µs", -6},
                                      Suffix{"ns", -9}, Suffix{"ps", -12}, Suffix{"min", 0, 60}, Suffix{"h", 0, 3600}};
constexpr std::array flops_suffixes = {Suffix{"FLOP/s"},      Suffix{"MFLOP/s", 6}, Suffix{"GFLOP/s", 9}, Suffix{"TFLOP/s", 12},
                                       Suffix{"PFLOP/s", 15}, Suffix{"GFLOPS", 9},  Suffix{"TFLOPS", 12}, Suffix{"PFLOPS", 15}};
constexpr std::array count_suffixes = {Suffix{""},     Suffix{"k", 3}, Suffix{"K", 3}, Suffix{"M", 6},
                                       Suffix{"G", 9}, Suffix{"B", 9}, Suffix{"T", 12}};
constexpr std::array ratio_suffixes = {Suffix{""}};

std::span<const Suffix> suffixes_of(Unit unit) {
  switch (unit) {
    case Unit::network:
      return bits_suffixes;
    case Unit::bandwidth:
      return byte_rate_suffixes;
    case Unit::bytes:
      return byte_suffixes;
    case Unit::seconds:
      return time_suffixes;
    case Unit::flops:
      return flops_suffixes;
    case Unit::count:
      return count_suffixes;
    case Unit::ratio:
      break;
  }
  return ratio_suffixes;
}

const Suffix* find(std::span<const Suffix> list, std::string_view text) {
  for (const Suffix& s : list) {
    if (s.text == text) return &s;
  }
  return nullptr;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

bool digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
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
  const std::string word = lower(text);
  if (word.find("nan") == 0 || word.find(".nan") == 0 || word.find("inf") != std::string::npos) {
    return Error{fmt::format("'{}' is not a finite number", whole), such_as};
  }
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

std::string no_unit_help(const std::string& number, Unit unit) {
  switch (unit) {
    case Unit::network:
      return fmt::format("write {0}Gbps (bits) or {0}GBps (bytes)", number);
    case Unit::bandwidth:
      return fmt::format("write {0}GBps (bytes) or {0}Gbps (bits)", number);
    case Unit::bytes:
      return fmt::format("write {0}GB (1e9 bytes) or {0}GiB (2^30 bytes)", number);
    case Unit::seconds:
      return fmt::format("write {0}s, {0}ms or {0}us", number);
    default:
      return fmt::format("write {0}TFLOP/s", number);
  }
}

// The suffix stands in no list of this unit. Says why as exactly as can be known.
Error bad_suffix(std::string_view whole, const Split& s, Unit unit) {
  const std::string number = number_text(s);
  const std::string_view suffix = s.suffix;
  if (suffix.empty()) return {fmt::format("'{}' has no unit", whole), no_unit_help(number, unit)};
  const bool rate = unit == Unit::network || unit == Unit::bandwidth;
  const bool lone_prefix = suffix == "k" || suffix == "K" || suffix == "M" || suffix == "G" || suffix == "T";
  if (rate && lone_prefix) {
    return {fmt::format("'{}' has no unit", whole), fmt::format("write {0}{1}bps (bits) or {0}{1}Bps (bytes)", number, suffix)};
  }
  if (rate && (suffix.back() == 'b' || suffix.back() == 'B') && suffix.size() <= 3) {
    return {fmt::format("'{}' is an amount, not a speed", whole), fmt::format("write {}{}/s", number, suffix)};
  }
  if (unit == Unit::bytes && !suffix.empty() && (lone_prefix || suffix.back() == 'b')) {
    const char prefix = suffix.size() > 1 || lone_prefix ? suffix[0] : ' ';
    const std::string p = prefix == ' ' ? "" : std::string(1, prefix);
    return {fmt::format("'{}' is not an amount of bytes", whole), fmt::format("write {0}{1}B", number, p)};
  }
  for (const Suffix& known : suffixes_of(unit)) {
    if (lower(known.text) != lower(suffix)) continue;
    if (unit == Unit::network || unit == Unit::bandwidth) {
      const std::string prefix =
          suffix.size() > 3 ? std::string(1, lower(suffix)[0] == 'k' ? 'k' : static_cast<char>(lower(suffix)[0] - 'a' + 'A'))
                            : "";
      return {fmt::format("unknown unit '{}': b is bits, B is bytes, prefixes are k, M, G, T", suffix),
              fmt::format("write {0}{1}bps (bits) or {0}{1}Bps (bytes)", number, prefix)};
    }
    return {fmt::format("unknown unit '{}'", suffix), fmt::format("write {}{}", number, known.text)};
  }
  std::string known;
  if (unit == Unit::count) return {fmt::format("'{}' is not a plain number", whole), "write a number; k, M, G and T may follow"};
  if (unit == Unit::ratio)
    return {fmt::format("'{}' is not a plain number", whole), "write a number without a unit, such as 0.92"};
  return {fmt::format("unknown unit '{}' for {}", suffix, unit_name(unit)), no_unit_help(number, unit)};
}

bool known_port_rate(double gbps) {
  for (const double rate : {25.0, 40.0, 50.0, 100.0, 200.0, 400.0, 800.0, 1600.0}) {
    if (gbps == rate && rate != 50.0) return true;
  }
  return false;
}

}  // namespace

std::variant<Quantity, QuantityError> parse_quantity(std::string_view text, Unit unit) {
  auto parts = split(text, unit_example(unit));
  if (Error* error = std::get_if<Error>(&parts)) return *error;
  const Split& s = std::get<Split>(parts);
  const Suffix* suffix = find(suffixes_of(unit), s.suffix);
  Quantity out;
  // Bits in a field of bytes and the other way round are understood: the unit says what is meant.
  const bool other_rate = !suffix && (unit == Unit::network || unit == Unit::bandwidth);
  if (other_rate) suffix = find(unit == Unit::network ? std::span<const Suffix>(byte_rate_suffixes) : bits_suffixes, s.suffix);
  if (!suffix && unit == Unit::seconds && s.suffix.empty() && s.mantissa == "0") suffix = &time_suffixes[0];  // 0 needs no unit
  if (!suffix) return bad_suffix(text, s, unit);
  const std::optional<double> value = to_double(s, *suffix);
  if (!value)
    return Error{fmt::format("'{}' is out of range", text), fmt::format("write a number such as {}", unit_example(unit))};
  out.value = *value;
  if (other_rate && unit == Unit::network && known_port_rate(out.value / 1e9)) {
    out.warning = fmt::format("{:g} GB/s (bytes) is {:g} Gb/s; a {:g} Gb/s port is written {:g}Gbps", out.value / 1e9,
                              out.value * 8 / 1e9, out.value / 1e9, out.value / 1e9);
  }
  return out;
}

std::variant<std::int64_t, QuantityError> parse_integer(std::string_view text) {
  auto parts = split(text, "512");
  if (Error* error = std::get_if<Error>(&parts)) return *error;
  const Split& s = std::get<Split>(parts);
  const Suffix* suffix = find(count_suffixes, s.suffix);
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
  for (const Suffix& suffix : suffixes_of(unit)) {
    const std::string text = fmt::format("{}{}", value / suffix.factor / std::pow(10.0, suffix.decimal), suffix.text);
    const auto back = parse_quantity(text, unit);
    const Quantity* same = std::get_if<Quantity>(&back);
    if (same && same->value == value && (best.empty() || text.size() < best.size())) best = text;
  }
  return best;
}

std::string_view unit_name(Unit unit) {
  switch (unit) {
    case Unit::network:
      return "network bandwidth";
    case Unit::bandwidth:
      return "bandwidth";
    case Unit::bytes:
      return "bytes";
    case Unit::seconds:
      return "time";
    case Unit::flops:
      return "compute speed";
    case Unit::count:
      return "count";
    case Unit::ratio:
      break;
  }
  return "number";
}

std::string_view unit_example(Unit unit) {
  switch (unit) {
    case Unit::network:
      return "400Gbps";
    case Unit::bandwidth:
      return "450GBps";
    case Unit::bytes:
      return "80GB";
    case Unit::seconds:
      return "1.5us";
    case Unit::flops:
      return "989TFLOP/s";
    case Unit::count:
      return "40M";
    case Unit::ratio:
      break;
  }
  return "0.92";
}

}  // namespace gridlock::scenario
