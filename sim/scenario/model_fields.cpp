// Keys of `model:` and of the files in models/.
#include "sim/scenario/declarations.hpp"

namespace gridlock::scenario {

void describe(Fields& f, model::ModelSpec& m) {
  constexpr double many = 1e7;  // no transformer has dimensions near it; products of a few stay far inside 64 bits
  f.text({"name", "what reports call it", "the file's name"}, m.name, "inline");
  f.integer({"layers", "transformer layers"}, m.layers, required, {1, 100000});
  f.integer({"hidden", "model width"}, m.hidden, required, {1, many});
  f.boolean({"gated_mlp", "SwiGLU: two up-projections (Llama)"}, m.gated_mlp, false);
  f.integer({"ffn", "inner width of the MLP", "4 x hidden; to be given with gated_mlp"}, m.ffn,
            m.gated_mlp ? std::nullopt : std::optional<std::int64_t>(4 * m.hidden), {1, many});
  f.integer({"heads", "attention heads"}, m.heads, required, {1, 65536});
  f.integer({"kv_heads", "key and value heads; fewer than heads for grouped-query attention", "heads"}, m.kv_heads, m.heads,
            {1, 65536});
  f.integer({"head_dim", "width of one head", "hidden / heads"}, m.head_dim, m.heads > 0 ? m.hidden / m.heads : 0, {1, many});
  f.integer({"vocab", "vocabulary; padded to a multiple of 128 x tensor"}, m.vocab, required, {1, 1e9});
  f.boolean({"tied_embeddings", "the head shares the embedding's weights"}, m.tied_embeddings, true);
  f.boolean({"bias", "linear layers have biases and norms are LayerNorm (GPT); false: RMSNorm without biases (Llama)"}, m.bias,
            true);
  f.boolean({"learned_positions", "a learned position table (GPT); false: rotary (Llama)"}, m.learned_positions, true);
  f.boolean({"dropout", "dropout kernels run"}, m.dropout, true);
}

}  // namespace gridlock::scenario
