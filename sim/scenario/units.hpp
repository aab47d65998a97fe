// The units of scenario files as a table: every spelling that is read, and what to write when one is not.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sim/scenario/quantity.hpp"

namespace gridlock::scenario {

// Spelled out rather than composed of prefix and unit: what is not in the list is an error, and nothing is ambiguous.
struct Suffix {
  std::string_view text;
  int decimal = 0;    // power of ten
  double factor = 1;  // besides: a power of two, or of 60; exact
};

struct UnitInfo {
  std::string_view name;     // "network bandwidth"
  std::string_view example;  // "400Gbps"
  std::span<const Suffix> suffixes;
};

const UnitInfo& info(Unit unit);

const Suffix* find_suffix(Unit unit, std::string_view text);

// What to write when a number stands without a unit: "write 400Gbps (bits) or 400GBps (bytes)".
std::string unit_advice(const std::string& number, Unit unit);

// Why `suffix` is no unit here, as exactly as can be known. `whole` is the text as written, `number` its number.
QuantityError explain_suffix(std::string_view whole, const std::string& number, std::string_view suffix, Unit unit);

}  // namespace gridlock::scenario
