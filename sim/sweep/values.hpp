// The values of an axis, as people write them:
//
//   50..1600Gbps:32       32 values at equal distances, both ends included
//   log:50..1600Gbps:6    6 values at equal ratios: 50, 100, 200, ... 1600
//   1..8                  every whole number (of keys that hold whole numbers)
//   adaptive, ecmp        a list; [adaptive, ecmp] is the same
//
// A number without a unit takes the one of the range's other end. Values of keys that hold whole numbers are rounded.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gridlock::sweep {

// A mistake in what to sweep; what() says what to write instead.
struct SpecificationError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline constexpr std::size_t most_values = 10'000'000;  // of one axis

// `whole`: the key holds whole numbers. Throws SpecificationError; never returns an empty list.
std::vector<std::string> parse_values(std::string_view text, bool whole);

}  // namespace gridlock::sweep
