// Hugging Face config.json of the Llama family as a model of ours.
#pragma once

#include "sim/scenario/yaml.hpp"

namespace gridlock::scenario {

// The keys of `model:` filled from hidden_size, intermediate_size, num_hidden_layers, num_attention_heads, num_key_value_heads,
// head_dim, vocab_size and tie_word_embeddings, each with its mark in the file. Other keys are ignored. Throws InvalidScenario
// for a model_type that is not of the family, for a missing key and for biases that the model has no place for.
Node model_of_hf_config(const Node& config);

}  // namespace gridlock::scenario
