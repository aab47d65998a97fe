// Models by Hugging Face config.json, written by hand from the published layout of Llama configs.
#include "fixture.hpp"

namespace gridlock::scenario {
namespace {

class HfConfigTest : public ScenarioTest {
 protected:
  static std::string config() {
    return "{\n"
           "  \"architectures\": [\"LlamaForCausalLM\"],\n"
           "  \"attention_bias\": false,\n"
           "  \"hidden_act\": \"silu\",\n"
           "  \"hidden_size\": 2048,\n"
           "  \"intermediate_size\": 5632,\n"
           "  \"model_type\": \"llama\",\n"
           "  \"num_attention_heads\": 32,\n"
           "  \"num_hidden_layers\": 22,\n"
           "  \"num_key_value_heads\": 4,\n"
           "  \"rope_scaling\": {\"factor\": 8.0, \"rope_type\": \"llama3\"},\n"
           "  \"rms_norm_eps\": 1e-05,\n"
           "  \"tie_word_embeddings\": false,\n"
           "  \"torch_dtype\": \"bfloat16\",\n"
           "  \"vocab_size\": 32000\n"
           "}\n";
  }
  static std::string changed(const std::string& from, const std::string& to) {
    std::string text = config();
    return text.replace(text.find(from), from.size(), to);
  }
  // good() with this config as its model.
  std::string scenario(const std::string& json) {
    write("hub/config.json", json);
    return with("{layers: 8, hidden: 1024, heads: 16, vocab: 51200}", "hub/config.json");
  }
};

TEST_F(HfConfigTest, ReadsTheLlamaFamily) {
  const model::ModelSpec m = load(scenario(config())).model;
  EXPECT_EQ(m.name, "hub");
  EXPECT_EQ(m.layers, 22);
  EXPECT_EQ(m.hidden, 2048);
  EXPECT_EQ(m.ffn, 5632);
  EXPECT_EQ(m.heads, 32);
  EXPECT_EQ(m.kv_heads, 4);
  EXPECT_EQ(m.head_dim, 64);
  EXPECT_EQ(m.vocab, 32000);
  EXPECT_TRUE(m.gated_mlp);
  EXPECT_FALSE(m.tied_embeddings || m.bias || m.learned_positions || m.dropout);
}

TEST_F(HfConfigTest, DefaultsAreThoseOfLlamaConfig) {
  const model::ModelSpec m = load(scenario(changed("  \"num_key_value_heads\": 4,\n", "  \"head_dim\": null,\n"))).model;
  EXPECT_EQ(m.kv_heads, 32);
  EXPECT_EQ(m.head_dim, 64);
  EXPECT_TRUE(load(scenario(changed("\"tie_word_embeddings\": false", "\"tie_word_embeddings\": true"))).model.tied_embeddings);
}

TEST_F(HfConfigTest, OverridesReachIntoIt) { EXPECT_EQ(load(scenario(config()), {"model.layers=4"}).model.layers, 4); }

TEST_F(HfConfigTest, MistakesPointIntoIt) {
  const auto expect = [&](const std::string& json, const std::string& place, const std::string& gist) {
    const std::string text = complaint(scenario(json));
    EXPECT_NE(text.find("--> hub/config.json" + place + "\n"), std::string::npos) << text;
    EXPECT_NE(text.find(gist), std::string::npos) << text;
  };
  expect(changed("\"llama\"", "\"mamba\""), ":7:17", "model_type 'mamba' is not of the Llama family");
  expect(changed("  \"model_type\": \"llama\",\n", ""), "", "missing key 'model_type'");
  expect(changed("  \"hidden_size\": 2048,\n", ""), "", "missing key 'hidden_size'");
  expect(changed("2048", "\"wide\""), ":5:18", "model.hidden: 'wide' is not a number");
  expect(changed("\"attention_bias\": false", "\"attention_bias\": true"), ":3:21", "attention_bias: biases are not modelled");
  expect(changed("\"silu\"", "\"silu\", \"num_local_experts\": 8"), ":4:25", "mixtures of experts are not modelled");
  expect(changed("\"silu\"", "\"silu\", \"quantization_config\": {}"), ":4:25", "quantization_config");
  expect(changed("\"silu\"", "\"gelu\""), ":4:17", "hidden_act 'gelu'");
  expect(changed("22,", "22"), ":10:24", "YAML syntax");
  expect("[1]", "", "a model file holds a map, not a list");
}

}  // namespace
}  // namespace gridlock::scenario
