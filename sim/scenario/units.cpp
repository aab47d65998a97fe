#include "sim/scenario/units.hpp"

#include <fmt/format.h>

#include <array>

namespace gridlock::scenario {
namespace {

constexpr double bit = 0.125, Ki = 1024, Mi = Ki * 1024, Gi = Mi * 1024, Ti = Gi * 1024;

constexpr std::array bit_rates = {Suffix{"bps", 0, bit},   Suffix{"b/s", 0, bit},   Suffix{"bit/s", 0, bit},   //
                                  Suffix{"kbps", 3, bit},  Suffix{"kb/s", 3, bit},  Suffix{"kbit/s", 3, bit},  //
                                  Suffix{"Mbps", 6, bit},  Suffix{"Mb/s", 6, bit},  Suffix{"Mbit/s", 6, bit},  //
                                  Suffix{"Gbps", 9, bit},  Suffix{"Gb/s", 9, bit},  Suffix{"Gbit/s", 9, bit},  //
                                  Suffix{"Tbps", 12, bit}, Suffix{"Tb/s", 12, bit}, Suffix{"Tbit/s", 12, bit}};
constexpr std::array byte_rates = {Suffix{"Bps"},          Suffix{"B/s"},                                   //
                                   Suffix{"kBps", 3},      Suffix{"kB/s", 3},      Suffix{"KB/s", 3},       //
                                   Suffix{"MBps", 6},      Suffix{"MB/s", 6},      Suffix{"GBps", 9},       //
                                   Suffix{"GB/s", 9},      Suffix{"TBps", 12},     Suffix{"TB/s", 12},      //
                                   Suffix{"KiB/s", 0, Ki}, Suffix{"KiBps", 0, Ki}, Suffix{"MiB/s", 0, Mi},  //
                                   Suffix{"MiBps", 0, Mi}, Suffix{"GiB/s", 0, Gi}, Suffix{"GiBps", 0, Gi},  //
                                   Suffix{"TiB/s", 0, Ti}, Suffix{"TiBps", 0, Ti}};
constexpr std::array byte_amounts = {Suffix{"B"},          Suffix{"kB", 3},      Suffix{"KB", 3},     Suffix{"MB", 6},
                                     Suffix{"GB", 9},      Suffix{"TB", 12},     Suffix{"PB", 15},    Suffix{"KiB", 0, Ki},
                                     Suffix{"MiB", 0, Mi}, Suffix{"GiB", 0, Gi}, Suffix{"TiB", 0, Ti}};
constexpr std::array times = {Suffix{"s"},      Suffix{"ms", -3},  Suffix{"us", -6},     Suffix{"µs", -6},
                              Suffix{"ns", -9}, Suffix{"ps", -12}, Suffix{"min", 0, 60}, Suffix{"h", 0, 3600}};
constexpr std::array speeds = {Suffix{"FLOP/s"},      Suffix{"MFLOP/s", 6}, Suffix{"GFLOP/s", 9}, Suffix{"TFLOP/s", 12},
                               Suffix{"PFLOP/s", 15}, Suffix{"GFLOPS", 9},  Suffix{"TFLOPS", 12}, Suffix{"PFLOPS", 15}};
constexpr std::array counts = {Suffix{""},     Suffix{"k", 3}, Suffix{"K", 3}, Suffix{"M", 6},
                               Suffix{"G", 9}, Suffix{"B", 9}, Suffix{"T", 12}};
constexpr std::array plain = {Suffix{""}};

// By Unit.
constexpr std::array<UnitInfo, 7> table = {{{"network bandwidth", "400Gbps", bit_rates},
                                            {"bandwidth", "450GBps", byte_rates},
                                            {"bytes", "80GB", byte_amounts},
                                            {"time", "1.5us", times},
                                            {"compute speed", "989TFLOP/s", speeds},
                                            {"count", "40M", counts},
                                            {"number", "0.92", plain}}};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

// The spelling that differs from `suffix` in letter case only.
const Suffix* find_but_for_case(Unit unit, std::string_view suffix) {
  for (const Suffix& known : info(unit).suffixes) {
    if (lower(known.text) == lower(suffix)) return &known;
  }
  return nullptr;
}

std::string rate_advice(const std::string& number, std::string_view prefix) {
  return fmt::format("write {0}{1}bps (bits) or {0}{1}Bps (bytes)", number, prefix);
}

}  // namespace

const UnitInfo& info(Unit unit) { return table.at(static_cast<std::size_t>(unit)); }

const Suffix* find_suffix(Unit unit, std::string_view text) {
  for (const Suffix& suffix : info(unit).suffixes) {
    if (suffix.text == text) return &suffix;
  }
  return nullptr;
}

std::string unit_advice(const std::string& number, Unit unit) {
  switch (unit) {
    case Unit::network:
      return rate_advice(number, "G");
    case Unit::bandwidth:
      return fmt::format("write {0}GBps (bytes) or {0}Gbps (bits)", number);
    case Unit::bytes:
      return fmt::format("write {0}GB (1e9 bytes) or {0}GiB (2^30 bytes)", number);
    case Unit::seconds:
      return fmt::format("write {0}s, {0}ms or {0}us", number);
    case Unit::flops:
      return fmt::format("write {}TFLOP/s", number);
    case Unit::count:
      return "write a number; k, M, G and T may follow";
    case Unit::ratio:
      break;
  }
  return "write a number without a unit, such as 0.92";
}

QuantityError explain_suffix(std::string_view whole, const std::string& number, std::string_view suffix, Unit unit) {
  if (unit == Unit::count || unit == Unit::ratio) {
    return {fmt::format("'{}' is not a plain number", whole), unit_advice(number, unit)};
  }
  if (suffix.empty()) return {fmt::format("'{}' has no unit", whole), unit_advice(number, unit)};
  const bool rate = unit == Unit::network || unit == Unit::bandwidth;
  const bool lone_prefix = suffix.size() == 1 && std::string_view("kKMGT").find(suffix[0]) != std::string_view::npos;
  const bool amount = suffix.size() <= 3 && (suffix.back() == 'b' || suffix.back() == 'B');
  if (rate && lone_prefix) return {fmt::format("'{}' has no unit", whole), rate_advice(number, suffix)};
  if (rate && amount) return {fmt::format("'{}' is an amount, not a speed", whole), fmt::format("write {}{}/s", number, suffix)};
  if (unit == Unit::bytes && (lone_prefix || suffix.back() == 'b')) {
    const std::string_view prefix = lone_prefix || suffix.size() > 1 ? suffix.substr(0, 1) : "";
    return {fmt::format("'{}' is not an amount of bytes", whole), fmt::format("write {}{}B", number, prefix)};
  }
  if (const Suffix* known = find_but_for_case(unit, suffix)) {
    if (!rate) return {fmt::format("unknown unit '{}'", suffix), fmt::format("write {}{}", number, known->text)};
    return {fmt::format("unknown unit '{}': b is bits, B is bytes, prefixes are k, M, G, T", suffix),
            rate_advice(number, known->text.size() > 3 ? known->text.substr(0, 1) : "")};
  }
  return {fmt::format("unknown unit '{}' for {}", suffix, info(unit).name), unit_advice(number, unit)};
}

}  // namespace gridlock::scenario
