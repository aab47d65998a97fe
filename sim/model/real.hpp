// Counts (layers, columns, bytes of an element) as the real numbers that the model's formulas work with.
#pragma once

#include <cstdint>

namespace gridlock::model {

inline double real(std::int64_t value) { return static_cast<double>(value); }

}  // namespace gridlock::model
