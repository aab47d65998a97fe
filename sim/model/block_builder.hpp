// Writes a block op by op, keeping track of what has to wait for what.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "sim/model/block.hpp"
#include "sim/model/block_input.hpp"
#include "sim/model/gemm.hpp"

namespace gridlock::model {

constexpr int no_op = -1;

class BlockBuilder {
 public:
  BlockBuilder(std::string name, const BlockInput& input) : input_(input) { block_.name = std::move(name); }

  const BlockInput& input() const { return input_; }

  // Appends a kernel; it waits for everything passed to `wait` since the last kernel. Returns its index.
  int compute(std::string label, const KernelTime& time);
  // A pass over `bytes` of HBM; nothing when bytes is 0.
  int stream(std::string label, double bytes, double launches = 1);
  int gemm(std::string label, const GemmShape& shape);
  // `taken` SMs are held by a collective all the while.
  KernelTime gemm_time(const GemmShape& shape, int taken = 0) const;

  // Appends a tensor-parallel collective that starts when the last kernel (and the collectives before it) have ended.
  // Returns its index, or no_op when there is one tensor rank only.
  int collective(std::string label, collectives::Kind kind, double message_bytes);
  // The next kernel waits for `op`; no_op is ignored. At most two are pending.
  void wait(int op);
  // A collective that nothing overlaps.
  void blocking(std::string label, collectives::Kind kind, double message_bytes) {
    wait(collective(std::move(label), kind, message_bytes));
  }

  // How long a collective of this size keeps its SMs, by the channel rates of the profile; 0 with one tensor rank.
  double collective_s(collectives::Kind kind, double message_bytes) const;

  // Adds what the host's dispatch interval delays, and hands the block over.
  Block finish();

 private:
  BlockInput input_;
  Block block_;
  int last_compute_ = no_op;
  std::array<std::int16_t, 2> pending_{-1, -1};
};

}  // namespace gridlock::model
