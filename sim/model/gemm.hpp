// Time of a (batched) matrix multiplication C[m x n] = A[m x k] B[k x n]. Profiles of kind `packed` (CPUs): gemm_packed.hpp.
// Kind `tiled`:
//
// Each tile shape T = tm x tn and each split of k into z parts gives
//   tiles     = batch * ceil(m/tm) * ceil(n/tn) * z               the last wave of tiles may leave SMs idle
//   waves     = ceil(tiles / SMs)
//   speed(T)  = ceiling * (1 + q (1/256 + 1/128)) / (1 + q (1/tm + 1/tn))     share of the dense peak; q = tile_traffic:
//               a tile loads (tm + tn) operands for tm * tn products a step of k, so small tiles starve
//   compute   = waves * ( 2 tm tn ceil(k/z) / (peak / SMs * speed(T)) + wave_s )
//   memory    = batch ((m k + k n) e + m n o) / (HBM peak * efficiency)
//   t         = launch_s + (compute^p + memory^p)^(1/p)            p = overlap_exponent; infinity is the roofline
// with e bytes an operand element and o bytes of traffic an output element. Partial sums of a split stay in the L2 cache: they
// cost their waves' epilogues; k is split only where the whole tiles make less than two waves. The library picks its kernel by
// heuristics that come close to the best: t is the least over T and z.
//
// Bounds: t > flops / (ceiling * peak) and t > memory.
//
// Worked example: 4096^3 fp16 on an A100 (312 TFLOP/s, 108 SMs), ceiling 0.82, q = 0, wave_s = 0, launch 0, p = infinity: 512
// tiles of 256 x 128 make 5 waves of 2 * 256 * 128 * 4096 / (312e12 / 108 * 0.82) = 113.3 us: 567 us; 1024 tiles of 128 x 128
// make 10 waves of half that: the same; 2048 tiles of 128 x 64 make 19 waves of a quarter: 538 us, the least.
#pragma once

#include <cstdint>

#include "sim/model/kernel.hpp"

namespace gridlock::model {

struct GemmShape {
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t batch = 1;
  double operand_bytes = 2;  // an element of A and B
  double output_bytes = 2;   // traffic an element of C: 2 written once as bf16, 8 read and written as fp32 (accumulation)
};

// What the library would run: for reports and tests.
struct GemmChoice {
  int tile_m = 0, tile_n = 0, split = 1;
  double waves = 0;
};

// REQUIRES positive dimensions. `choice` is left alone by profiles of kind packed.
KernelTime gemm(const GemmShape& shape, const GemmModel& model, const MemoryModel& memory, const Device& device,
                GemmChoice* choice = nullptr);

}  // namespace gridlock::model
