// The order in which one pipeline stage runs its forward and backward passes.
//
//   gpipe             all forwards, then all backwards
//   1f1b              min(P-1-s, M) warm-up forwards, then one forward one backward, then the remaining backwards
//                     (Narayanan et al., SC'21, section 2.2.1)
//   interleaved 1f1b  each stage holds V chunks of layers; P micro-batches pass through a chunk before the next chunk's turn;
//                     warm-up 2 (P-1-s) + (V-1) P forwards (section 2.2.2; as Megatron-LM's schedules.py counts them)
//
// Worked example, 1f1b, P = 2, M = 3: stage 0 runs F0 F1 B0 F2 B1 B2, stage 1 runs F0 B0 F1 B1 F2 B2.
#pragma once

#include <vector>

#include "sim/scenario/scenario.hpp"

namespace gridlock::parallel {

struct Pass {
  bool forward = true;
  int micro_batch = 0;
  int chunk = 0;
  bool operator==(const Pass&) const = default;
};

// REQUIRES micro_batches >= 1; interleaved: micro_batches a multiple of stages, chunks >= 2. Every (micro-batch, chunk) appears
// once forward and once backward, forward first.
std::vector<Pass> schedule_passes(scenario::Schedule kind, int stages, int stage, int micro_batches, int chunks);

}  // namespace gridlock::parallel
