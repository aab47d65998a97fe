// Points of matrix products as the models of them take them.
#pragma once

#include <string>

#include "calibrate/point.hpp"
#include "sim/model/gemm.hpp"

namespace gridlock::calibrate {

// The shape of a gemm point; throws std::invalid_argument when it has none.
model::GemmShape gemm_shape(const Point& point);

// Bytes of an element of a dtype: 4 for fp32. Throws std::invalid_argument.
double bytes_of(const std::string& dtype);

}  // namespace gridlock::calibrate
