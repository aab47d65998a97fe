// Folding against its oracle: the same scenario with every rank, link, kernel and call on its own. Step time, start and finish of
// every task of every rank, the breakdown of every rank and the bytes of every link agree to 1e-9.
#include "outcome.hpp"
#include "scenario_text.hpp"
#include "sim/parallel/step_builder.hpp"

namespace gridlock::engine::test {
namespace {

void expect_folding_is_exact(const ScenarioText& text) {
  SCOPED_TRACE(text.yaml());
  const scenario::Scenario scenario = load(text);
  const Outcome folded = measure_in_child([&] { return simulate(scenario, {.fold = true}); });
  const Outcome full = measure_in_child([&] { return simulate(scenario, {.fold = false}); });
  ::testing::Test::RecordProperty("rank_classes", std::to_string(folded.counts[3]));
  expect_equal(parallel::build_step_graph(scenario), folded, full);
}

// Forward and wrap-around messages between the same two ranks: equal in everything but when they are sent.
TEST(Oracle, TwoStagesWithTwoVirtualStages) {
  ScenarioText text;
  text.parallelism = "tensor: 4, pipeline: 2, data: 8, schedule: interleaved_1f1b, virtual_stages: 2, sequence_parallel: true";
  expect_folding_is_exact(text);
}

TEST(Oracle, GPipe) {
  ScenarioText text;
  text.parallelism = "tensor: 2, pipeline: 4, data: 8, schedule: gpipe";
  expect_folding_is_exact(text);
}

TEST(Oracle, OneForwardOneBackward) {
  ScenarioText text;
  text.parallelism = "tensor: 4, pipeline: 4, data: 4, schedule: 1f1b, sequence_parallel: true";
  expect_folding_is_exact(text);
}

TEST(Oracle, SendsThatDoNotBlock) {
  ScenarioText text;
  text.parallelism = "tensor: 4, pipeline: 2, data: 8, schedule: 1f1b, overlap_p2p: true, scatter_gather: false";
  expect_folding_is_exact(text);
}

TEST(Oracle, SeveralGradientBuckets) {
  ScenarioText text;
  text.optimizer = "zero: 0, bucket: 3M";
  expect_folding_is_exact(text);
}

// Reduce-scatters and all-gathers of ZeRO-1 share one communicator.
TEST(Oracle, ReduceScatterAndAllGatherOnOneCommunicator) {
  ScenarioText text;
  text.parallelism = "tensor: 8, pipeline: 2, data: 4, schedule: 1f1b, sequence_parallel: true";
  text.optimizer = "zero: 1, bucket: 2M";
  expect_folding_is_exact(text);
}

TEST(Oracle, NothingOverlaps) {
  ScenarioText text;
  text.optimizer = "zero: 1, bucket: 5M, overlap_gradients: false, overlap_parameters: false";
  expect_folding_is_exact(text);
}

// Layers per stage differ, and so do the programs and the volume of the gradients.
TEST(Oracle, UnevenVolumes) {
  ScenarioText text;
  text.model = "layers: 7, hidden: 1024, heads: 16, vocab: 51200";
  text.parallelism = "tensor: 4, pipeline: 4, data: 4, schedule: 1f1b, layers_per_stage: [1, 3, 2, 1]";
  text.optimizer = "zero: 1, bucket: 4M";
  expect_folding_is_exact(text);
}

TEST(Oracle, SlowGpu) {
  ScenarioText text;
  text.parallelism = "tensor: 8, pipeline: 2, data: 4, schedule: 1f1b, sequence_parallel: true";
  text.optimizer = "zero: 1, bucket: 4M";
  text.faults = "slow: [{gpu: 13, factor: 0.8}]";
  expect_folding_is_exact(text);
}

// One tensor rank of a stage gets its input later than the others: they do not run in step until the first call of a block.
TEST(Oracle, DegradedNic) {
  ScenarioText text;
  text.parallelism = "tensor: 8, pipeline: 4, data: 2, schedule: 1f1b, sequence_parallel: true";
  text.optimizer = "zero: 1, bucket: 4M";
  text.faults = "links: [{match: \"node2.nic3:leaf*\", factor: 0.1}]";
  expect_folding_is_exact(text);
}

// Layers so wide that the weight gradient outlasts the reduce-scatter beside it: who came early to a block leaves it early.
TEST(Oracle, DegradedNicAndWideLayers) {
  ScenarioText text;
  text.model = "layers: 2, hidden: 8192, heads: 64, vocab: 51200";
  text.parallelism = "tensor: 8, pipeline: 2, data: 4, schedule: 1f1b, sequence_parallel: true";
  text.batch = "global: 16, micro: 1, sequence: 2048";
  text.optimizer = "zero: 1";
  text.faults = "links: [{match: \"node5.nic3:leaf*\", factor: 0.05}]";
  expect_folding_is_exact(text);
}

TEST(Oracle, DegradedNicWithoutSequenceParallel) {
  ScenarioText text;
  text.parallelism = "tensor: 8, pipeline: 4, data: 2, schedule: 1f1b";
  text.faults = "links: [{match: \"node2.nic3:leaf*\", factor: 0.02}]";
  expect_folding_is_exact(text);
}

TEST(Oracle, DegradedNvLink) {
  ScenarioText text;
  text.parallelism = "tensor: 4, pipeline: 2, data: 8, schedule: 1f1b, sequence_parallel: true, order: tp-dp-pp";
  text.faults = "links: [{match: \"node1.gpu5:*\", factor: 0.3}]";
  expect_folding_is_exact(text);
}

TEST(Oracle, Ecmp) {
  ScenarioText text;
  text.fabric = "kind: rail_fat_tree, nic: 400Gbps, leaf_radix: 8, scalable_unit: 4, routing: ecmp";
  text.parallelism = "tensor: 4, pipeline: 2, data: 8, schedule: 1f1b, sequence_parallel: true";
  text.optimizer = "zero: 1";
  text.seed = 3;
  expect_folding_is_exact(text);
}

TEST(Oracle, StaticRouting) {
  ScenarioText text;
  text.fabric = "kind: fat_tree, nic: 400Gbps, leaf_radix: 32, routing: static";
  text.parallelism = "tensor: 4, pipeline: 4, data: 4, schedule: 1f1b";
  expect_folding_is_exact(text);
}

TEST(Oracle, OversubscribedLeaves) {
  ScenarioText text;
  text.fabric = "kind: rail_fat_tree, nic: 400Gbps, leaf_radix: 10, scalable_unit: 2, oversubscription: {leaf: 4}";
  text.parallelism = "tensor: 2, pipeline: 2, data: 16, schedule: 1f1b, sequence_parallel: true";
  text.optimizer = "zero: 1, bucket: 4M";
  expect_folding_is_exact(text);
}

// Tensor and data groups meet on the NVLinks of a node, so no call is alone on its links.
TEST(Oracle, TensorGroupsSmallerThanANode) {
  ScenarioText text;
  text.parallelism = "tensor: 2, pipeline: 1, data: 32, sequence_parallel: true";
  text.optimizer = "zero: 1, bucket: 4M";
  expect_folding_is_exact(text);
}

TEST(Oracle, ScatteredPlacement) {
  ScenarioText text;
  text.fabric = "kind: rail_fat_tree, nic: 400Gbps, leaf_radix: 8, scalable_unit: 4, oversubscription: {leaf: 3}";
  text.placement = "scattered";
  text.parallelism = "tensor: 8, pipeline: 4, data: 2, schedule: 1f1b, sequence_parallel: true";
  text.seed = 5;
  expect_folding_is_exact(text);
}

TEST(Oracle, RailOnlyFabric) {
  ScenarioText text;
  text.fabric = "kind: rail_only, nic: 400Gbps, leaf_radix: 8, scalable_unit: 4";
  text.parallelism = "tensor: 4, pipeline: 2, data: 8, schedule: interleaved_1f1b, virtual_stages: 2, order: tp-pp-dp";
  expect_folding_is_exact(text);
}

TEST(Oracle, UntiedGatedModelInHalfPrecisionOrder) {
  ScenarioText text;
  text.model =
      "layers: 4, hidden: 1024, heads: 16, kv_heads: 4, ffn: 2816, vocab: 32000, gated_mlp: true, tied_embeddings: false, bias: "
      "false, learned_positions: false, dropout: false";
  text.parallelism = "tensor: 4, pipeline: 2, data: 8, schedule: 1f1b, sequence_parallel: true, tp_overlap: true";
  text.recompute = "full";
  expect_folding_is_exact(text);
}

// Two routes of equal capacity and different length between pairs that are else alike: latency must split what capacity does not.
// Four nodes of one GPU in two pairs; the second pair's switch is 30 us further away.
TEST(Oracle, EqualCapacityButDifferentLatency) {
  const std::string yaml = R"(scenario: training_step
cluster:
  nodes: 4
  node: {kind: nvswitch, gpu: h100-sxm, gpus: 1, nics: 1, sockets: 1, nvlink: 450GBps, pcie: 64GBps, socket_link: 40GBps, nic: 400Gbps}
  fabric:
    kind: custom
    edges:
      - {from: node0.nic0, to: near, bandwidth: 400Gbps, latency: 1us}
      - {from: node1.nic0, to: near, bandwidth: 400Gbps, latency: 1us}
      - {from: node2.nic0, to: far, bandwidth: 400Gbps, latency: 31us}
      - {from: node3.nic0, to: far, bandwidth: 400Gbps, latency: 31us}
      - {from: near, to: far, bandwidth: 400Gbps, latency: 1us}
profile: h100-sxm
model: {layers: 2, hidden: 1024, heads: 16, vocab: 51200}
parallelism: {tensor: 1, pipeline: 2, data: 2, schedule: 1f1b, order: tp-pp-dp}
batch: {global: 8, micro: 1, sequence: 1024}
optimizer: {zero: 1, bucket: 5M}
)";
  SCOPED_TRACE(yaml);
  const scenario::Scenario scenario = load_text(yaml);
  const Outcome folded = measure_in_child([&] { return simulate(scenario, {.fold = true}); });
  const Outcome full = measure_in_child([&] { return simulate(scenario, {.fold = false}); });
  expect_equal(parallel::build_step_graph(scenario), folded, full);
  EXPECT_EQ(folded.counts[3], 4) << "the near and the far pair of ranks folded together";
}

}  // namespace
}  // namespace gridlock::engine::test
