#include "sim/engine/block_timing.hpp"

#include <algorithm>
#include <array>

namespace gridlock::engine {

using model::Block;
using model::BlockOp;
using model::Stream;

double kernel_seconds(const BlockOp& op, double speed) {
  const double device = op.device_s / speed;
  return op.host_s > 0 ? std::max(device, op.device_s + op.host_s) : device;
}

double host_seconds(const BlockOp& op, double speed) { return kernel_seconds(op, speed) - op.device_s / speed; }

std::vector<Segment> segments_of(const Block& block, bool merge_kernels) {
  const std::size_t n = block.ops.size();
  // Ops that an op other than the next one on the same stream waits for must end a segment.
  std::vector<bool> waited_for(n, false);
  for (const BlockOp& op : block.ops)
    for (std::int16_t earlier : op.after)
      if (earlier >= 0) waited_for[static_cast<std::size_t>(earlier)] = true;

  std::vector<Segment> segments;
  std::vector<std::int16_t> segment_of_op(n);
  std::array<int, 2> open{-1, -1};  // by stream: the last segment
  for (std::size_t i = 0; i < n; ++i) {
    const BlockOp& op = block.ops[i];
    const auto stream = static_cast<std::size_t>(op.stream);
    const bool free = op.after[0] < 0 && op.after[1] < 0;
    const int last = open[stream];
    const bool extends = merge_kernels && !op.is_collective && free && last >= 0 &&
                         !segments[static_cast<std::size_t>(last)].is_collective &&
                         !waited_for[static_cast<std::size_t>(segments[static_cast<std::size_t>(last)].last_op)];
    if (extends) {
      segments[static_cast<std::size_t>(last)].last_op = static_cast<std::int16_t>(i);
    } else {
      Segment segment{static_cast<std::int16_t>(i), static_cast<std::int16_t>(i), op.is_collective, op.stream, {}};
      for (std::int16_t earlier : op.after)
        if (earlier >= 0) segment.after.push_back(segment_of_op[static_cast<std::size_t>(earlier)]);
      segments.push_back(std::move(segment));
      open[stream] = static_cast<int>(segments.size()) - 1;
    }
    segment_of_op[i] = static_cast<std::int16_t>(open[stream]);
  }
  return segments;
}

BlockTiming time_block(const Block& block, double speed, std::span<const double> call_seconds) {
  BlockTiming timing;
  std::array<double, 2> stream_end{0, 0};
  for (std::size_t i = 0; i < block.ops.size(); ++i) {
    const BlockOp& op = block.ops[i];
    double& end = stream_end[static_cast<std::size_t>(op.stream)];
    double start = end;
    for (std::int16_t earlier : op.after)
      if (earlier >= 0) start = std::max(start, timing.ops[static_cast<std::size_t>(earlier)].finish);
    end = start + (op.is_collective ? call_seconds[i] : kernel_seconds(op, speed));
    timing.ops.push_back({start, end});
    timing.total = std::max(timing.total, end);
    if (op.is_collective && timing.first_call < 0) timing.first_call = start;
  }
  return timing;
}

}  // namespace gridlock::engine
