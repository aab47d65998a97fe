#include "sim/model/flops.hpp"

#include "sim/model/real.hpp"

namespace gridlock::model {
namespace {

// Per token, forward.
double linear_flops(const ModelSpec& m) {
  const double attention = real(m.heads * m.head_dim), kv = real(m.kv_heads * m.head_dim), hidden = real(m.hidden);
  return 2 * hidden * (2 * attention + 2 * kv + real(m.ffn) * (m.gated_mlp ? 3 : 2));
}

double core_flops(const ModelSpec& m, std::int64_t sequence, bool causal) {
  return (causal ? 2 : 4) * real(sequence) * real(m.heads * m.head_dim);
}

double model_flops(const ModelSpec& m, double sequences, std::int64_t sequence, bool causal) {
  const double token = m.layers * (linear_flops(m) + core_flops(m, sequence, causal)) + 2 * real(m.hidden) * real(m.vocab);
  return 3 * sequences * real(sequence) * token;
}

}  // namespace

double model_flops_full(const ModelSpec& m, double sequences, std::int64_t sequence) {
  return model_flops(m, sequences, sequence, false);
}

double model_flops_causal(const ModelSpec& m, double sequences, std::int64_t sequence) {
  return model_flops(m, sequences, sequence, true);
}

double hardware_flops(const ModelSpec& m, double sequences, std::int64_t sequence, Recompute recompute, bool causal) {
  double again = 0;
  if (recompute != Recompute::none) again += core_flops(m, sequence, causal);
  if (recompute == Recompute::full) again += linear_flops(m);
  return model_flops(m, sequences, sequence, causal) + sequences * real(sequence) * m.layers * again;
}

}  // namespace gridlock::model
