// Good scenarios: what is read, derived, overridden, written back.
#include <nlohmann/json.hpp>

#include "fixture.hpp"

namespace gridlock::scenario {
namespace {

class LoadTest : public ScenarioTest {};

TEST_F(LoadTest, ReadsEveryPart) {
  const Scenario s = load(good());
  EXPECT_EQ(s.name, "a");
  EXPECT_EQ(s.gpus(), 16);
  EXPECT_EQ(s.cluster.node.name, "hgx-h100");
  EXPECT_EQ(s.cluster.node.gpu.name, "h100-sxm");
  EXPECT_DOUBLE_EQ(s.cluster.fabric.nic_bytes_per_s, 50e9);
  EXPECT_DOUBLE_EQ(s.cluster.node.nvlink_bytes_per_s, 450e9);
  EXPECT_EQ(s.profile.gpu, "h100-sxm");
  EXPECT_EQ(s.model.ffn, 4096);
  EXPECT_EQ(s.model.head_dim, 64);
  EXPECT_EQ(s.model.kv_heads, 16);
  EXPECT_EQ(s.parallelism.layers_per_stage, (std::vector<int>{4, 4}));
  EXPECT_EQ(s.micro_batches(), 8);
  EXPECT_TRUE(s.warnings.empty());
}

TEST_F(LoadTest, DataIsDerived) { EXPECT_EQ(load(with(" data: 2,", "")).parallelism.data, 2); }

}  // namespace
}  // namespace gridlock::scenario
