// The transformer, and how its work is split: plain data, validated by the scenario loader.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gridlock::model {

enum class Attention : std::uint8_t { unfused, flash };
enum class Recompute : std::uint8_t { none, selective, full };

// Dense decoder-only transformers of the GPT and Llama families.
struct ModelSpec {
  std::string name;
  int layers = 0;
  std::int64_t hidden = 0;
  std::int64_t ffn = 0;
  int heads = 0;
  int kv_heads = 0;           // = heads for multi-head attention; fewer for grouped-query attention
  std::int64_t head_dim = 0;  // hidden / heads unless the config says otherwise
  std::int64_t vocab = 0;
  bool gated_mlp = false;  // SwiGLU: two up-projections
  bool tied_embeddings = true;
  bool bias = true;  // linear layers and LayerNorm have biases (GPT); RMSNorm without (Llama)
  bool learned_positions = true;
  bool dropout = true;
};

// Parameters of one layer, of the embedding (with learned positions) and of the head (final norm, and the output matrix unless
// tied); whole model, not per GPU, vocabulary unpadded.
double layer_parameters(const ModelSpec& m);
double embedding_parameters(const ModelSpec& m, std::int64_t sequence);
double head_parameters(const ModelSpec& m);
double total_parameters(const ModelSpec& m, std::int64_t sequence);

}  // namespace gridlock::model
