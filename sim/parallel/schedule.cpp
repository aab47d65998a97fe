#include "sim/parallel/schedule.hpp"

#include <algorithm>

namespace gridlock::parallel {
namespace {

// The k-th forward (or backward) of an interleaved stage: groups of `stages` micro-batches go through the chunks in turn, the
// backward passes through the chunks from the last to the first.
Pass interleaved_pass(bool forward, int k, int stages, int chunks) {
  const int group = k / (stages * chunks);
  const int in_group = k % (stages * chunks);
  const int turn = in_group / stages;
  return {forward, group * stages + in_group % stages, forward ? turn : chunks - 1 - turn};
}

std::vector<Pass> warm_up_then_alternate(int total, int warm_up, auto pass) {
  std::vector<Pass> passes;
  passes.reserve(static_cast<std::size_t>(2 * total));
  int forward = 0, backward = 0;
  while (forward < warm_up) passes.push_back(pass(true, forward++));
  while (backward < total) {
    if (forward < total) passes.push_back(pass(true, forward++));
    passes.push_back(pass(false, backward++));
  }
  return passes;
}

}  // namespace

std::vector<Pass> schedule_passes(scenario::Schedule kind, int stages, int stage, int micro_batches, int chunks) {
  const auto plain = [](bool forward, int k) { return Pass{forward, k, 0}; };
  switch (kind) {
    case scenario::Schedule::gpipe:
      return warm_up_then_alternate(micro_batches, micro_batches, plain);
    case scenario::Schedule::one_f_one_b:
      return warm_up_then_alternate(micro_batches, std::min(stages - 1 - stage, micro_batches), plain);
    case scenario::Schedule::interleaved_1f1b:
      break;
  }
  const int total = micro_batches * chunks;
  const int warm_up = micro_batches == stages ? total : std::min(2 * (stages - 1 - stage) + (chunks - 1) * stages, total);
  return warm_up_then_alternate(total, warm_up,
                                [&](bool forward, int k) { return interleaved_pass(forward, k, stages, chunks); });
}

}  // namespace gridlock::parallel
