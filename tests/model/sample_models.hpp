// Models and machines that several tests use. Round numbers where only the algebra matters.
#pragma once

#include "sim/model/block_input.hpp"

namespace gridlock::model::test {

inline ModelSpec gpt(int layers, std::int64_t hidden, int heads) {
  ModelSpec m;
  m.layers = layers;
  m.hidden = hidden;
  m.ffn = 4 * hidden;
  m.heads = m.kv_heads = heads;
  m.head_dim = hidden / heads;
  m.vocab = 51200;
  return m;
}

inline ModelSpec llama_8b() {
  ModelSpec m;
  m.layers = 32;
  m.hidden = 4096;
  m.ffn = 14336;
  m.heads = 32;
  m.kv_heads = 8;
  m.head_dim = 128;
  m.vocab = 128256;
  m.gated_mlp = true;
  m.tied_embeddings = m.bias = m.learned_positions = m.dropout = false;
  return m;
}

// scenarios/profiles/a100-sxm-megatron-2022.yaml.
inline Profile a100_megatron_2022() {
  Profile p;
  p.attention = Attention::unfused;
  p.fused_epilogues = false;
  p.dispatch_s = 5e-6;
  p.collective_sms = 24;
  p.gemm = {.ceiling = 0.824, .tile_traffic = 38.8, .wave_s = 0.83e-6, .launch_s = 5.88e-6, .overlap_exponent = 1.66};
  p.memory = {.efficiency = 0.812, .start_s = 2.5e-6};
  p.flash = {.forward = 0.575, .backward = 0.46};
  p.tuning.intra_channels = 12;
  p.tuning.intra_channel_bytes_per_s = 19.6e9;
  return p;
}

inline Device a100() { return {312e12, 2.039e12, 108}; }

// GPT 22B on one node, as Korthikanti et al. 2022 ran it (Table 3): tensor 8, micro-batch 4, sequence 2048.
inline BlockInput gpt_22b() {
  BlockInput in;
  in.model = gpt(48, 6144, 64);
  in.profile = a100_megatron_2022();
  in.device = a100();
  in.tensor = 8;
  in.micro = 4;
  in.sequence = 2048;
  return in;
}

inline double total_flops(const Block& block) {
  double sum = 0;
  for (const BlockOp& op : block.ops) sum += op.flops;
  return sum;
}

inline double total_bytes(const Block& block) {
  double sum = 0;
  for (const BlockOp& op : block.ops) sum += op.bytes;
  return sum;
}

inline int find(const Block& block, const std::string& label) {
  for (std::size_t i = 0; i < block.ops.size(); ++i) {
    if (block.ops[i].label == label) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace gridlock::model::test
