// A block is a short run of kernels and tensor-parallel collectives on one GPU: the forward or backward pass of one layer,
// the embedding, the head with the loss, the optimiser. Blocks are made once per scenario and shared by all ranks.
//
// Inside a block there are two streams, `compute` and `tensor` (the tensor-parallel communicator's). Ops of one stream run
// in order; `after` adds at most two dependencies on earlier ops of the block. A block ends when all its ops have ended.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "collectives/collective.hpp"

namespace gridlock::model {

enum class Stream : std::uint8_t { compute, tensor };
enum class Bound : std::uint8_t { compute, memory };  // the larger roofline term

struct BlockOp {
  std::string label;  // "qkv", "mlp.up", "attention", "tp.all_gather"
  Stream stream = Stream::compute;
  bool is_collective = false;

  // Kernel: device time by the roofline, then the time the device idles because the host has not dispatched the next kernel.
  double device_s = 0;
  double host_s = 0;
  Bound bound = Bound::compute;
  double flops = 0;  // executed, recomputation included
  double bytes = 0;  // HBM traffic

  // Collective on the tensor-parallel communicator.
  collectives::Kind kind = collectives::Kind::all_reduce;
  double message_bytes = 0;  // as nccl-tests counts

  std::array<std::int16_t, 2> after{-1, -1};  // earlier ops of this block, -1 = none
};

struct Block {
  std::string name;  // "layer.forward"
  std::vector<BlockOp> ops;
};

}  // namespace gridlock::model
