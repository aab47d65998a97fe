// Every file that the project ships loads, can be wired up, and passes its own schema's list of keys.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "fixture.hpp"
#include "topology/fabric.hpp"

namespace gridlock::scenario {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(fs::path(GRIDLOCK_SOURCE_DIR) / "scenarios" / folder)) {
    if (entry.path().extension() == ".yaml") out.push_back(entry.path().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

class ShippedTest : public ScenarioTest {};

TEST_F(ShippedTest, ScenariosLoadAndCanBeBuilt) {
  for (const char* folder : {"", "published", "sweeps"}) {
    const auto files = files_in(folder);
    ASSERT_FALSE(files.empty());
    for (const std::string& file : files) {
      SCOPED_TRACE(file);
      Scenario s;
      ASSERT_NO_THROW(s = load_scenario(file));
      EXPECT_TRUE(s.warnings.empty()) << s.warnings.front();
      EXPECT_NO_THROW(topology::build_fabric(s.cluster, s.profile.links, s.faults.links));
    }
  }
}

TEST_F(ShippedTest, PublishedRunsSayWhatWasMeasured) {
  for (const std::string& file : files_in("published")) {
    const Scenario s = load_scenario(file);
    ASSERT_TRUE(s.measured) << file;
    EXPECT_FALSE(s.measured->source.empty()) << file;
  }
}

// Each entry of the catalogue, in the place where it belongs. One rank, so that any number of GPUs and heads will do; fp16, which
// every GPU has.
TEST_F(ShippedTest, CatalogueLoads) {
  const auto loads = [&](const std::string& file, const std::string& key) {
    const std::vector<std::string> overrides = {key + "=" + fs::path(file).stem().string(), "cluster.idle=allow",
                                                "precision=fp16", "parallelism={tensor: 1, pipeline: 1, data: 1}"};
    EXPECT_EQ(complaint(good(), overrides), "") << file;
  };
  for (const std::string& file : files_in("models")) loads(file, "model");
  for (const std::string& file : files_in("profiles")) loads(file, "profile");
  for (const std::string& file : files_in("hardware")) {
    const bool node = parse_yaml(read_source(file)).find("gpu") != nullptr;  // what is no node is a GPU
    loads(file, node ? "cluster.node" : "cluster.node.gpu");
  }
}

TEST_F(ShippedTest, FlagshipIsAsTheDesignSays) {
  const Scenario s = load_scenario(std::string(GRIDLOCK_SOURCE_DIR) + "/scenarios/gpt3-175b-4096xh100.yaml");
  EXPECT_EQ(s.gpus(), 4096);
  EXPECT_EQ(s.parallelism.ranks(), 4096);
  EXPECT_EQ(s.micro_batches(), 24);
  EXPECT_EQ(s.parallelism.layers_per_stage, std::vector<int>(48, 2));
  EXPECT_EQ(s.cluster.fabric.tiers, 3);
}

TEST_F(ShippedTest, LlamaHas126LayersOn16Stages) {
  const Scenario s = load_scenario(std::string(GRIDLOCK_SOURCE_DIR) + "/scenarios/llama3.1-405b-16384xh100.yaml");
  EXPECT_EQ(s.gpus(), 16384);
  std::vector<int> stages(16, 0);
  const std::vector<int>& chunks = s.parallelism.layers_per_stage;
  for (std::size_t i = 0; i < chunks.size(); ++i) stages[i % 16] += chunks[i];
  std::vector<int> expected(16, 8);
  expected.front() = expected.back() = 7;
  EXPECT_EQ(stages, expected);
}

TEST_F(ShippedTest, SchemaKnowsTheKeysOfTheScenario) {
  const auto schema = nlohmann::json::parse(scenario_schema());
  const auto resolved = nlohmann::json::parse(load(good()).resolved_json);
  const auto& properties = schema.at("else").at("else").at("properties");
  for (const auto& [key, value] : resolved.items()) EXPECT_TRUE(properties.contains(key)) << key;
  const auto& fabric = properties.at("cluster").at("properties").at("fabric").at("properties");
  for (const auto& [key, value] : resolved.at("cluster").at("fabric").items()) EXPECT_TRUE(fabric.contains(key)) << key;
  EXPECT_EQ(schema.at("else").at("else").at("required"),
            nlohmann::json({"scenario", "cluster", "profile", "model", "parallelism", "batch"}));
}

TEST_F(ShippedTest, ReferenceDescribesEveryPart) {
  const std::string text = scenario_reference_markdown();
  for (const char* part :
       {"## Top level", "## `cluster.node.gpu`", "## `profile.gemm`", "## `faults.slow` (each element)", "| `leaf_radix` |"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
}

TEST_F(ShippedTest, PrintedReferenceIsCurrent) {
  const SourcePtr printed = read_source(std::string(GRIDLOCK_SOURCE_DIR) + "/docs/reference/scenario.md");
  EXPECT_TRUE(printed->text == scenario_reference_markdown())
      << "write it anew: gridlock schema --markdown > docs/reference/scenario.md";
}

}  // namespace
}  // namespace gridlock::scenario
