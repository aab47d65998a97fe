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
  EXPECT_EQ(s.cluster.fabric.nic_bytes_per_s, 50e9);
  EXPECT_EQ(s.cluster.node.nvlink_bytes_per_s, 450e9);
  EXPECT_EQ(s.profile.gpu, "h100-sxm");
  EXPECT_EQ(s.model.ffn, 4096);
  EXPECT_EQ(s.model.head_dim, 64);
  EXPECT_EQ(s.model.kv_heads, 16);
  EXPECT_EQ(s.parallelism.layers_per_stage, (std::vector<int>{4, 4}));
  EXPECT_FALSE(s.parallelism.overlap_p2p);
  EXPECT_EQ(s.micro_batches(), 8);
  EXPECT_TRUE(s.warnings.empty());
  EXPECT_FALSE(s.measured);
  EXPECT_FALSE(s.expect_max_step_s);
}

TEST_F(LoadTest, DataIsDerived) { EXPECT_EQ(load(with(" data: 2,", "")).parallelism.data, 2); }

TEST_F(LoadTest, IdleGpusAreAllowedWhenAsked) {
  EXPECT_EQ(load(with("data: 2", "data: 1"), {"cluster.idle=allow"}).parallelism.ranks(), 8);
}

TEST_F(LoadTest, LayersAsAList) {
  const Scenario s =
      load(with("schedule: 1f1b", "schedule: interleaved_1f1b, virtual_stages: 2, layers_per_stage: [1, 2, 2, 3]"));
  EXPECT_EQ(s.parallelism.layers_per_stage, (std::vector<int>{1, 2, 2, 3}));
  EXPECT_TRUE(s.parallelism.overlap_p2p);
}

TEST_F(LoadTest, OrderOfAxes) {
  const Scenario s = load(with("schedule: 1f1b", "order: tp-pp-dp"));
  EXPECT_EQ(s.parallelism.order, (std::vector<Axis>{Axis::tensor, Axis::pipeline, Axis::data, Axis::context, Axis::expert}));
}

TEST_F(LoadTest, Placement) {
  EXPECT_EQ(load(with("node: hgx", "placement: [1, 0]\n  node: hgx")).cluster.placement.nodes, (std::vector<int>{1, 0}));
  EXPECT_EQ(load(with("node: hgx", "placement: [0-1]\n  node: hgx")).cluster.placement.nodes, (std::vector<int>{0, 1}));
  EXPECT_EQ(load(with("node: hgx", "placement: 1,0\n  node: hgx")).cluster.placement.nodes, (std::vector<int>{1, 0}));
  EXPECT_EQ(load(with("node: hgx", "placement: 0-1\n  node: hgx")).cluster.placement.nodes, (std::vector<int>{0, 1}));
  EXPECT_EQ(load(with("node: hgx", "placement: scattered\n  node: hgx")).cluster.placement.kind,
            topology::PlacementKind::scattered);
}

TEST_F(LoadTest, PlacementByAFileOfNodes) {
  write("hosts.txt", "# rank order\nnode1\n\n  node0  # the slow one\n");
  const Scenario s = load(with("node: hgx", "placement: hosts.txt\n  node: hgx"));
  EXPECT_EQ(s.cluster.placement.nodes, (std::vector<int>{1, 0}));
  EXPECT_EQ(s.files.size(), 5u);
  write("hosts.txt", "node1\nmars\n");
  EXPECT_EQ(complaint(with("node: hgx", "placement: hosts.txt\n  node: hgx")),
            "error: cluster.placement: 'mars' is no node number and no range of nodes\n"
            " --> hosts.txt:2:1\n"
            "  |\n"
            "2 | mars\n"
            "  | ^^^^\n"
            "  = help: write packed, scattered, a file, or a list such as [0-7, 12, 16-23] in rank order\n"
            "1 error\n");
}

TEST_F(LoadTest, ExpectationsFaultsAndMeasurements) {
  const Scenario s = load(good() +
                          "expect: {step_time: {max: 14s}}\n"
                          "measured: {step_time: 13.5s, source: \"a paper\"}\n"
                          "faults: {slow: [{gpu: 7, factor: 0.8}], links: [{match: \"leaf0:*\", factor: 0.5}]}\n");
  EXPECT_EQ(s.expect_max_step_s, 14);
  EXPECT_FALSE(s.expect_min_step_s);
  EXPECT_EQ(s.measured->step_time_s, 13.5);
  EXPECT_EQ(s.measured->source, "a paper");
  ASSERT_EQ(s.faults.slow.size(), 1u);
  EXPECT_EQ(s.faults.slow[0].gpu, 7u);
  EXPECT_EQ(s.faults.links.at(0).match, "leaf0:*");
}

TEST_F(LoadTest, OverridesReachIntoReferences) {
  const Scenario s =
      load(good(), {"cluster.node.nic=200Gbps", "cluster.node.gpu.memory=96GiB", "model=gpt-6.7b", "model.layers=4",
                    "faults.slow=[{gpu: 1, factor: 0.5}]", "faults.slow.0.factor=0.25", "parallelism.data="});
  EXPECT_EQ(s.cluster.node.nic_bytes_per_s, 25e9);
  EXPECT_EQ(s.cluster.node.nvlink_bytes_per_s, 450e9);
  EXPECT_EQ(s.cluster.node.gpu.hbm_bytes, 96.0 * 1024 * 1024 * 1024);
  EXPECT_EQ(s.model.hidden, 4096);
  EXPECT_EQ(s.model.layers, 4);
  EXPECT_EQ(s.faults.slow.at(0).factor, 0.25);
  EXPECT_EQ(s.parallelism.data, 2);
}

TEST_F(LoadTest, BasesWithChanges) {
  const Scenario s = load(with("hgx-h100", "{base: hgx-h100, gpu: {memory: 96GB}}"), {"profile={base: h100-sxm, dispatch: 0s}"});
  EXPECT_EQ(s.cluster.node.gpu.hbm_bytes, 96e9);
  EXPECT_EQ(s.cluster.node.gpu.sms, 132);
  EXPECT_EQ(s.profile.dispatch_s, 0);
}

TEST_F(LoadTest, AScenarioMayStartFromAnother) {
  write("first.yaml", good());
  const Scenario s = load("base: first.yaml\ncluster:\n  node: {gpus: 8, nics: 4}\n  fabric: {routing: ecmp}\n");
  EXPECT_EQ(s.cluster.nodes, 2);
  EXPECT_EQ(s.cluster.node.nics, 4);
  EXPECT_EQ(s.cluster.fabric.routing, topology::RoutingKind::ecmp);
  EXPECT_EQ(s.cluster.fabric.nic_bytes_per_s, 50e9);
  EXPECT_EQ(s.name, "a");
}

TEST_F(LoadTest, NamesNextToTheScenarioComeFirst) {
  write("models/gpt-6.7b.yaml", "layers: 2\nhidden: 512\nheads: 8\nvocab: 1000\n");
  EXPECT_EQ(load(with("{layers: 8, hidden: 1024, heads: 16, vocab: 51200}", "gpt-6.7b")).model.layers, 2);
}

TEST_F(LoadTest, FilesAndTheirHashes) {
  const Scenario s = load(good());
  ASSERT_EQ(s.files.size(), 4u);  // the scenario, the node, its GPU, the profile
  EXPECT_EQ(s.files[0].path, "a.yaml");
  // FNV-1a of nothing is its offset basis, of "a" the published test vector.
  EXPECT_EQ(fnv1a64(""), "cbf29ce484222325");
  EXPECT_EQ(fnv1a64("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(s.files[0].fnv1a64, fnv1a64(good()));
}

TEST_F(LoadTest, TiersAreChosenToFit) {
  // Rail leaves of 64 ports serve 32 nodes: 2 nodes are one unit of 8 leaves; 512 nodes are 16 units, 128 leaves, more than a
  // spine has ports.
  EXPECT_EQ(load(good()).cluster.fabric.tiers, 2);
  EXPECT_EQ(load(with(" data: 2,", ""), {"cluster.nodes=512", "batch.global=512"}).cluster.fabric.tiers, 3);
  EXPECT_EQ(load(good(), {"cluster.fabric.tiers=3"}).cluster.fabric.tiers, 3);
}

TEST_F(LoadTest, OneNodeNeedsNoFabric) {
  const Scenario s = load(with("  fabric: {kind: rail_fat_tree, nic: 400Gbps}\n", ""), {"cluster.nodes=1", "parallelism.data=1"});
  EXPECT_EQ(s.cluster.fabric.kind, topology::FabricKind::none);
}

TEST_F(LoadTest, Warnings) {
  EXPECT_EQ(load(with("400Gbps", "400GBps")).warnings,
            std::vector<std::string>{
                "a.yaml:5:38: cluster.fabric.nic: 400 GB/s (bytes) is 3200 Gb/s; a 400 Gb/s port is written 400Gbps"});
  EXPECT_EQ(load(with("tensor: 4, pipeline: 2, data: 2", "tensor: 16")).warnings,
            std::vector<std::string>{"a.yaml:8:23: tensor 16 spans nodes of 8 GPUs: every layer waits for the network"});
  EXPECT_EQ(load(with("h100-sxm", "a100-sxm")).warnings,
            std::vector<std::string>{"a.yaml:6:1: profile 'a100-sxm' was fitted for GPU 'a100-sxm', the nodes have 'h100-sxm'"});
}

// What is written as resolved is a scenario that loads to the same: every default is in it, and every number exact.
TEST_F(LoadTest, ResolvedScenarioLoadsToItself) {
  const Scenario s = load(good() + "faults: {slow: [{gpu: 7, factor: 0.8}]}\nexpect: {step_time: {max: 14s}}\n");
  write("resolved.json", s.resolved_json);
  EXPECT_EQ(load_scenario("resolved.json").resolved_json, s.resolved_json);
  const auto json = nlohmann::json::parse(s.resolved_json);
  EXPECT_EQ(json["cluster"]["node"]["gpu"]["memory"], "81559MiB");
  EXPECT_EQ(json["parallelism"]["layers_per_stage"], nlohmann::json({4, 4}));
}

TEST_F(LoadTest, ClusterAlone) {
  write("c.yaml", "cluster: {nodes: 2, node: hgx-h100, fabric: {nic: 400Gbps}}\nprofile: h100-sxm\nbatch: whatever\n");
  const Scenario s = load_cluster("c.yaml", {"cluster.nodes=4"});
  EXPECT_EQ(s.cluster.nodes, 4);
  EXPECT_EQ(s.profile.name, "h100-sxm");
}

}  // namespace
}  // namespace gridlock::scenario
