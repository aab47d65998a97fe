// Numbers with units, as people write them: 400Gbps, 450 GB/s, 80GiB, 1.5us, 40M, 989TFLOP/s.
//
// Values come out in SI base units: bytes per second, bytes, seconds, FLOP/s; counts and ratios as they are. A decimal prefix
// is folded into the exponent before conversion, so 1.5us is the double nearest to 1.5e-6, not 1.5 times one near 1e-6.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace gridlock::scenario {

enum class Unit : std::uint8_t {
  network,    // bytes per second, written in bits: 400Gbps
  bandwidth,  // bytes per second, written in bytes: 450GBps
  bytes,      // 80GB = 80e9, 80GiB = 80 * 2^30
  seconds,    // 14s, 1.5us, 2ms
  flops,      // 989TFLOP/s
  count,      // 40M, 1e9
  ratio,      // 0.92
};

struct Quantity {
  double value = 0;
  std::string warning;  // not empty: understood, but probably not what was meant
};

struct QuantityError {
  std::string message;  // "'400' has no unit"
  std::string help;     // "write 400Gbps (bits) or 400GBps (bytes)"
};

// Never throws. Finite, but not checked for sign or size: that is the field's range.
std::variant<Quantity, QuantityError> parse_quantity(std::string_view text, Unit unit);

// A whole number: 512, 40M, 1e6. Not 010 (octal to some readers), 0x10, 1.5 or 1,000.
std::variant<std::int64_t, QuantityError> parse_integer(std::string_view text);

// The shortest text that parse_quantity reads back as exactly this value.
std::string format_quantity(double value, Unit unit);

std::string_view unit_name(Unit unit);     // "network bandwidth"
std::string_view unit_example(Unit unit);  // "400Gbps"

}  // namespace gridlock::scenario
