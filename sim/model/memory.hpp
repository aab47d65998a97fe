// Bytes of GPU memory by part, for the GPUs of one pipeline stage.
//
// Static, for P parameters of the stage on one GPU (matrices over t, norms and row-parallel biases whole):
//   weights 2 P, gradients g P, optimizer 12 P (fp32 master weight and two moments), over `data` when sharded (ZeRO-1).
//
// Activations a layer keeps of one micro-batch until its backward pass, M = micro-batch x sequence rows, Ms = M / t with
// sequence parallel, else M (Korthikanti et al. 2022, section 4; equations for any width, grouped heads and gated MLP):
//   sharded by sequence parallel   Ms h (2 + 2 norm inputs, 2 + 2 norm outputs, 1 + 1 dropout masks)
//   sharded by tensor parallel     M (2 q + 4 kv + 2 q context + 2 up + 2 ffn) columns of this GPU
//   attention core, unfused        M s a/t (2 softmax + 1 mask + 2 dropout output); flash: M a/t x 4 of row sums
// GPT: 10 M h + 24 M h/t + 5 M s a/t; with sequence parallel 34 M h/t + 5 M s a/t. Selective recomputation drops the core;
// full keeps the layer's input only, 2 Ms h. Both hold one layer's recomputed activations while its backward pass runs.
//
// Worked example: GPT 22B (48 layers, h 6144, s 2048, micro-batch 4, t 8), sequence parallel and selective: 34 M h/t a layer
// = 214 MB, 10.3 GB together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/model/block_input.hpp"

namespace gridlock::model {

enum class PipelineKind : std::uint8_t { gpipe, one_f_one_b, interleaved_1f1b };

// Where one pipeline stage stands. `chunk_layers`: layers of each of its virtual stages, in model order.
struct StageMemoryInput {
  BlockInput block;
  PipelineKind schedule = PipelineKind::one_f_one_b;
  int stage = 0, stages = 1;
  std::span<const int> chunk_layers;
  int micro_batches = 1;  // of one data-parallel rank in one step
  int data = 1;
  bool shard_optimizer = false;  // ZeRO-1

  bool has_embedding() const { return stage == 0; }
  bool has_head() const { return stage == stages - 1; }
};

struct MemoryParts {
  double weights = 0, gradients = 0, optimizer = 0, activations = 0, buffers = 0;  // bytes
  double total() const { return weights + gradients + optimizer + activations + buffers; }
};

// Micro-batches whose activations each virtual stage holds at the fullest moment.
//   gpipe: all; 1f1b: min(m, stages - stage); interleaved: the virtual micro-batches of its warm-up and one more, which run in
//   groups of `stages` micro-batches a chunk. One entry per virtual stage. REQUIRES chunks >= 1.
std::vector<int> micro_batches_in_flight(PipelineKind schedule, int stage, int stages, int chunks, int micro_batches);

// Activations of one layer of one micro-batch that are kept until its backward pass.
double kept_layer_activations(const BlockInput& in);

// Parameters of the stage on one GPU.
double stage_parameters(const StageMemoryInput& in);

MemoryParts stage_memory(const StageMemoryInput& in);

}  // namespace gridlock::model
