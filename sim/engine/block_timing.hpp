// Times inside a block.
//
//   kernel time at speed f = max(device / f, device + host)   when the host's dispatch bounds it (host > 0), else device / f
//   start of an op         = max(end of the op before it on its stream, ends of the ops in `after`)
//
// Worked example: kernels k1 (2 ms), k2 (3 ms) on the compute stream, an all-gather (4 ms) on the tensor stream after k1, k3 (1
// ms) after the all-gather: k1 0-2, all-gather 2-6, k2 2-5, k3 6-7; the compute stream waits 5-6.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/model/block.hpp"

namespace gridlock::engine {

double kernel_seconds(const model::BlockOp& op, double speed);
// The part of kernel_seconds in which the device waits for the host.
double host_seconds(const model::BlockOp& op, double speed);

// A piece of a block that runs as one activity: one collective, or kernels in a row that nothing waits for in between.
struct Segment {
  std::int16_t first_op = 0, last_op = 0;
  bool is_collective = false;
  model::Stream stream = model::Stream::compute;
  std::vector<std::int16_t> after;  // earlier segments, the one before it on its stream not listed
};

// One segment an op, or with kernels merged where that changes no time.
std::vector<Segment> segments_of(const model::Block& block, bool merge_kernels);

struct OpTime {
  double start = 0, finish = 0;
};

// Offsets of every op from the block's start when each call takes a fixed time (`call_seconds` by op, ignored for kernels).
struct BlockTiming {
  std::vector<OpTime> ops;
  double total = 0;
  double first_call = -1;  // start of the first collective; -1 without one
};

BlockTiming time_block(const model::Block& block, double speed, std::span<const double> call_seconds);

}  // namespace gridlock::engine
