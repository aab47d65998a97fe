#include "sim/model/block_builder.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "sim/model/gemm.hpp"

namespace gridlock::model {

int BlockBuilder::compute(std::string label, const KernelTime& time) {
  BlockOp op;
  op.label = std::move(label);
  op.device_s = time.device_s;
  op.bound = time.bound;
  op.flops = time.flops;
  op.bytes = time.bytes;
  op.after = std::exchange(pending_, {-1, -1});
  block_.ops.push_back(std::move(op));
  return last_compute_ = static_cast<int>(block_.ops.size()) - 1;
}

int BlockBuilder::stream(std::string label, double bytes, double launches) {
  if (bytes <= 0) return no_op;
  return compute(std::move(label), streaming(bytes, input_.profile.memory, input_.device, launches));
}

int BlockBuilder::gemm(std::string label, const GemmShape& shape) { return compute(std::move(label), gemm_time(shape)); }

KernelTime BlockBuilder::gemm_time(const GemmShape& shape, int taken) const {
  return model::gemm(shape, input_.profile.gemm, input_.profile.memory, without_sms(input_.device, taken));
}

int BlockBuilder::collective(std::string label, collectives::Kind kind, double message_bytes) {
  if (input_.tensor == 1) return no_op;
  BlockOp op;
  op.label = std::move(label);
  op.stream = Stream::tensor;
  op.is_collective = true;
  op.kind = kind;
  op.message_bytes = message_bytes;
  op.after[0] = static_cast<std::int16_t>(last_compute_);
  block_.ops.push_back(std::move(op));
  return static_cast<int>(block_.ops.size()) - 1;
}

void BlockBuilder::wait(int op) {
  if (op == no_op) return;
  const auto free = std::find(pending_.begin(), pending_.end(), std::int16_t{-1});
  assert(free != pending_.end());
  *free = static_cast<std::int16_t>(op);
}

double BlockBuilder::collective_s(collectives::Kind kind, double message_bytes) const {
  if (input_.tensor == 1) return 0;
  const auto& tuning = input_.profile.tuning;
  return collectives::bus_factor(kind, input_.tensor) * message_bytes /
         (tuning.intra_channels * tuning.intra_channel_bytes_per_s);
}

// The host dispatches one kernel every dispatch_s from the start of the block on, running ahead of the device where kernels
// are long: kernel i (from 0) cannot start before i * dispatch_s. The idle time is booked on the kernel before it.
Block BlockBuilder::finish() {
  double dispatched_s = 0, device_free_s = 0;
  for (BlockOp& op : block_.ops) {
    if (op.is_collective) continue;
    device_free_s += op.device_s;
    dispatched_s += input_.profile.dispatch_s;
    op.host_s = std::max(0.0, dispatched_s - device_free_s);
    device_free_s += op.host_s;
  }
  return std::move(block_);
}

}  // namespace gridlock::model
