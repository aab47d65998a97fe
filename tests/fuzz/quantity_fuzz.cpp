// Any text: either an error with advice, or a finite number that is written and read back exactly. The first byte chooses the
// unit.
#include <cmath>

#include "sim/scenario/quantity.hpp"

using namespace gridlock::scenario;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  const auto unit = static_cast<Unit>(data[0] % 7);
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  const auto parsed = parse_quantity(text, unit);
  if (const auto* error = std::get_if<QuantityError>(&parsed)) {
    if (error->message.empty() || error->help.empty()) __builtin_trap();
  } else {
    const double value = std::get<Quantity>(parsed).value;
    if (!std::isfinite(value)) __builtin_trap();
    const auto back = parse_quantity(format_quantity(value, unit), unit);
    if (!std::holds_alternative<Quantity>(back) || std::get<Quantity>(back).value != value) __builtin_trap();
  }
  parse_integer(text);
  return 0;
}
