#include "sim/model/model_spec.hpp"

#include "sim/model/real.hpp"

namespace gridlock::model {
namespace {

// Weights of a norm, and its biases where the model has them.
double norm_parameters(const ModelSpec& m) { return real(m.hidden) * (m.bias ? 2 : 1); }

}  // namespace

double layer_parameters(const ModelSpec& m) {
  const double attention = real(m.heads * m.head_dim), kv = real(m.kv_heads * m.head_dim);
  const double hidden = real(m.hidden), ffn = real(m.ffn), up = ffn * (m.gated_mlp ? 2 : 1);
  const double weights = hidden * (attention + 2 * kv) + attention * hidden + hidden * up + ffn * hidden;
  const double biases = m.bias ? attention + 2 * kv + hidden + up + hidden : 0;
  return weights + biases + 2 * norm_parameters(m);
}

double embedding_parameters(const ModelSpec& m, std::int64_t sequence) {
  return real(m.hidden) * (real(m.vocab) + (m.learned_positions ? real(sequence) : 0));
}

double head_parameters(const ModelSpec& m) {
  return norm_parameters(m) + (m.tied_embeddings ? 0 : real(m.hidden) * real(m.vocab));
}

double total_parameters(const ModelSpec& m, std::int64_t sequence) {
  return m.layers * layer_parameters(m) + embedding_parameters(m, sequence) + head_parameters(m);
}

}  // namespace gridlock::model
