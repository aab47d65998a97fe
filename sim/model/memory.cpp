#include "sim/model/memory.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "sim/model/real.hpp"

namespace gridlock::model {
namespace {

double sequence_sharded_activations(const BlockInput& in) {
  return in.sharded_rows() * real(in.model.hidden) * (2 + 2 + 2 + 2 + (in.model.dropout ? 1 + 1 : 0));
}

double tensor_sharded_activations(const BlockInput& in) {
  return real(in.rows()) * 2 * real(in.qkv_columns() + in.attention_columns() + in.up_columns() + in.ffn_columns());
}

double core_activations(const BlockInput& in) {
  const double heads = real(in.model.heads) / in.tensor;
  if (in.profile.attention == Attention::flash) return real(in.rows()) * heads * 4;
  return real(in.rows()) * real(in.sequence) * heads * (2 + (in.model.dropout ? 1 + 2 : 0));
}

// What recomputation brings back for the one layer whose backward pass runs.
double recomputed_activations(const BlockInput& in) {
  switch (in.recompute) {
    case Recompute::none:
      return 0;
    case Recompute::selective:
      return core_activations(in);
    case Recompute::full:
      break;
  }
  return sequence_sharded_activations(in) + tensor_sharded_activations(in) + core_activations(in);
}

// One micro-batch of the embedding: its dropout mask. Token numbers are negligible.
double embedding_activations(const BlockInput& in) { return in.model.dropout ? in.sharded_rows() * real(in.model.hidden) : 0; }

// One micro-batch of the head: input and output of the final norm, logits in 16 bits and their fp32 softmax.
double head_activations(const BlockInput& in) {
  return in.sharded_rows() * real(in.model.hidden) * (2 + 2) + real(in.rows()) * real(in.vocab_columns()) * (2 + 4);
}

double layer_parameters_per_gpu(const BlockInput& in) {
  const ModelSpec& m = in.model;
  const double hidden = real(m.hidden);
  const double matrices = hidden * real(in.qkv_columns() + in.attention_columns() + in.up_columns() + in.ffn_columns());
  const double biases = m.bias ? real(in.qkv_columns() + in.up_columns()) + 2 * hidden : 0;
  return matrices + biases + 2 * hidden * (m.bias ? 2 : 1);
}

}  // namespace

std::vector<int> micro_batches_in_flight(PipelineKind schedule, int stage, int stages, int chunks, int micro_batches) {
  assert(chunks >= 1 && stage >= 0 && stage < stages);
  if (schedule == PipelineKind::gpipe) return std::vector<int>(static_cast<std::size_t>(chunks), micro_batches);
  if (chunks == 1) return {std::min(micro_batches, stages - stage)};
  // Interleaved: 2 (stages - stage - 1) + (chunks - 1) stages forward passes of one chunk warm up, and one more runs before
  // the first backward pass (Narayanan et al. 2021, section 2.2.2).
  const int passes = std::min(2 * (stages - stage - 1) + (chunks - 1) * stages + 1, micro_batches * chunks);
  std::vector<int> held(static_cast<std::size_t>(chunks), 0);
  for (int pass = 0; pass < passes; ++pass) ++held[static_cast<std::size_t>(pass / stages % chunks)];
  return held;
}

double kept_layer_activations(const BlockInput& in) {
  if (in.recompute == Recompute::full) return in.sharded_rows() * real(in.model.hidden) * 2;
  const double linear = sequence_sharded_activations(in) + tensor_sharded_activations(in);
  return in.recompute == Recompute::selective ? linear : linear + core_activations(in);
}

double stage_parameters(const StageMemoryInput& in) {
  const ModelSpec& m = in.block.model;
  const double hidden = real(m.hidden), table = real(in.block.vocab_columns()) * hidden;
  double parameters = std::accumulate(in.chunk_layers.begin(), in.chunk_layers.end(), 0) * layer_parameters_per_gpu(in.block);
  if (in.has_embedding()) parameters += table + (m.learned_positions ? real(in.block.sequence) * hidden : 0);
  if (in.has_head()) {
    parameters += hidden * (m.bias ? 2 : 1);
    // A tied head on another stage than the embedding holds a copy of the table.
    if (!m.tied_embeddings || !in.has_embedding()) parameters += table;
  }
  return parameters;
}

MemoryParts stage_memory(const StageMemoryInput& in) {
  const double parameters = stage_parameters(in);
  MemoryParts parts;
  parts.weights = 2 * parameters;
  parts.gradients = in.block.gradient_bytes * parameters;
  parts.optimizer = 12 * parameters / (in.shard_optimizer ? in.data : 1);
  parts.buffers = in.block.profile.reserved_bytes;

  const int chunks = static_cast<int>(in.chunk_layers.size());
  const auto held = micro_batches_in_flight(in.schedule, in.stage, in.stages, chunks, in.micro_batches);
  double layers_held = 0;
  for (std::size_t chunk = 0; chunk < held.size(); ++chunk) layers_held += real(held[chunk]) * in.chunk_layers[chunk];
  parts.activations = layers_held * kept_layer_activations(in.block) + recomputed_activations(in.block);
  if (in.has_embedding()) parts.activations += held.front() * embedding_activations(in.block);
  if (in.has_head()) parts.activations += held.back() * head_activations(in.block);
  return parts;
}

}  // namespace gridlock::model
