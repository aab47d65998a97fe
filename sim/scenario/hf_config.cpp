#include "sim/scenario/hf_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gridlock::scenario {
namespace {

struct Renamed {
  std::string_view theirs, ours;
  bool needed;
};

// Defaults where a key may be missing: transformers' LlamaConfig (num_key_value_heads = num_attention_heads, head_dim =
// hidden_size / num_attention_heads, tie_word_embeddings = false).
constexpr std::array renamed = {
    Renamed{"num_hidden_layers", "layers", true},
    Renamed{"hidden_size", "hidden", true},
    Renamed{"intermediate_size", "ffn", true},
    Renamed{"num_attention_heads", "heads", true},
    Renamed{"num_key_value_heads", "kv_heads", false},
    Renamed{"head_dim", "head_dim", false},
    Renamed{"vocab_size", "vocab", true},
    Renamed{"tie_word_embeddings", "tied_embeddings", false},
};

// Same layer structure as Llama: RMSNorm, rotary positions, SwiGLU, no biases in the MLP. (Mistral's sliding window only
// matters above its width, and recent versions leave it out.)
constexpr std::array<std::string_view, 2> family = {"llama", "mistral"};

[[noreturn]] void fail(std::string code, const Mark& mark, std::string message, std::string help) {
  throw InvalidScenario(diagnose(Severity::error, std::move(code), mark, std::move(message), std::move(help)));
}

Node scalar(const Mark& mark, std::string text) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.mark = mark;
  node.text = std::move(text);
  return node;
}

}  // namespace

Node model_of_hf_config(const Node& config) {
  const Mark file{config.mark.source, 0, 0, 1};
  const Entry* type = config.find("model_type");
  if (!type) fail("missing-key", file, "missing key 'model_type': is this a Hugging Face config.json?", "model_type: \"llama\"");
  if (std::find(family.begin(), family.end(), type->value.text) == family.end()) {
    fail("unknown-model-type", type->value.mark, fmt::format("model_type '{}' is not of the Llama family", type->value.text),
         fmt::format("known: {}; write other dense models inline under `model:`", fmt::join(family, ", ")));
  }
  for (const char* key : {"num_local_experts", "num_experts", "n_routed_experts"})
    if (const Entry* experts = config.find(key); experts && experts->value.kind != Node::Kind::null)
      fail("unsupported", experts->key_mark, fmt::format("{}: mixtures of experts are not modelled", key),
           "write a dense model of the same active parameters inline under `model:`");
  if (const Entry* quantized = config.find("quantization_config"); quantized && quantized->value.kind != Node::Kind::null)
    fail("unsupported", quantized->key_mark, "quantization_config: a training step has no quantized weights",
         "remove it: precision and gradients are keys of the scenario");
  Node model;
  model.kind = Node::Kind::map;
  model.mark = config.mark;
  for (const Renamed& key : renamed) {
    const Entry* found = config.find(key.theirs);
    if (found && found->value.kind == Node::Kind::null && !key.needed) found = nullptr;  // "head_dim": null means the default
    if (!found && key.needed)
      fail("missing-key", file, fmt::format("missing key '{}'", key.theirs), "the file needs it to be a Llama config");
    if (found) model.entries.push_back({std::string(key.ours), found->key_mark, found->value});
  }
  if (!model.find("tied_embeddings")) model.entries.push_back({"tied_embeddings", file, scalar(file, "false")});
  for (const char* bias : {"attention_bias", "mlp_bias"}) {
    const Entry* found = config.find(bias);
    if (found && found->value.text == "true") {
      fail("unsupported", found->value.mark, fmt::format("{}: biases are not modelled for the Llama family", bias),
           "set it to false: biases are less than 0.1 % of the work");
    }
  }
  if (const Entry* act = config.find("hidden_act"); act && act->value.is_scalar() && act->value.text != "silu") {
    fail("unsupported", act->value.mark,
         fmt::format("hidden_act '{}': the Llama family has a SwiGLU MLP (silu)", act->value.text),
         "write the model inline under `model:`");
  }
  model.entries.push_back({"gated_mlp", file, scalar(file, "true")});
  for (const char* absent : {"bias", "learned_positions", "dropout"})
    model.entries.push_back({absent, file, scalar(file, "false")});
  return model;
}

}  // namespace gridlock::scenario
