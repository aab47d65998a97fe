// A number and the unit behind it, without knowing what it measures: "400Gbps", "0.5", "40M".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gridlock::sweep {

struct Number {
  double value = 0;
  std::string unit;
};

// Nothing when the text does not start with a number, or the rest is no unit that scenarios know.
std::optional<Number> split_number(std::string_view text);

// The same amount in `unit`: {1.6, "Tbps"} in "Gbps" is 1600. Nothing when the units measure different things.
std::optional<double> in_unit(const Number& number, const std::string& unit);

// The shortest decimal that reads back as this double, and the unit: "412.5Gbps".
std::string number_with_unit(double value, const std::string& unit);

}  // namespace gridlock::sweep
