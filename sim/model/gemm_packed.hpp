// Time of a matrix multiplication by a CPU library (OpenBLAS, BLIS, MKL), which copies blocks of A and B into panels that fit
// the caches and multiplies panels at nearly full speed.
//
//   t = launch_s + batch ( 2 m n k / (peak * ceiling) + (m k + k n) e / operand_bytes_per_s + m n o / output_bytes_per_s )   [s]
//
// with e bytes an operand element and o bytes of traffic an output element. The terms add up, for the copies are done by the
// threads that multiply. Speed as a share of peak * ceiling is 1 / (1 + n0/n + m0/m + k0/k) up to the launch: the lengths at
// which half of it is reached are n0 = m0 = peak ceiling e / (2 operand_bytes_per_s), k0 likewise with o and the output's.
//
// Worked example: 1000^3 fp32 at 100 GFLOP/s, ceiling 1, operands at 20 GB/s, output at 40 GB/s, launch 0: 20 ms of products
// + 8 MB / 20 GB/s = 0.4 ms + 4 MB / 40 GB/s = 0.1 ms: 20.5 ms.
#pragma once

#include "sim/model/gemm.hpp"

namespace gridlock::model {

// REQUIRES positive dimensions and a model of kind packed.
KernelTime packed_gemm(const GemmShape& shape, const GemmModel& model, const Device& device);

}  // namespace gridlock::model
