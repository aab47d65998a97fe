// Every mistake ends with file, line, column, the line with a caret, and what to write instead. The dozen that people make most
// are checked to the letter; the rest by their place and the gist.
#include "fixture.hpp"

namespace gridlock::scenario {
namespace {

class BadInputTest : public ScenarioTest {
 protected:
  // The complaint about good() with `from` replaced by `to` points at line:column and contains `gist`.
  void expect(const std::string& from, const std::string& to, const std::string& place, const std::string& gist,
              const std::vector<std::string>& overrides = {}) {
    const std::string text = complaint(with(from, to), overrides);
    EXPECT_NE(text.find("--> a.yaml:" + place + "\n"), std::string::npos) << text;
    EXPECT_NE(text.find(gist), std::string::npos) << text;
    EXPECT_NE(text.find("= help: "), std::string::npos) << text;
  }
};

TEST_F(BadInputTest, UnknownKey) {
  EXPECT_EQ(complaint(with("nic: 400Gbps", "nick: 400Gbps")),
            "error: unknown key 'nick' in cluster.fabric\n"
            " --> a.yaml:5:33\n"
            "  |\n"
            "5 |   fabric: {kind: rail_fat_tree, nick: 400Gbps}\n"
            "  |                                 ^^^^\n"
            "  = help: did you mean 'nic'?\n"
            "1 error\n");
}

TEST_F(BadInputTest, MissingKey) {
  EXPECT_EQ(complaint(with("  nodes: 2\n", "")),
            "error: missing key 'nodes' in cluster\n"
            " --> a.yaml:2:1\n"
            "  |\n"
            "2 | cluster:\n"
            "  | ^^^^^^^\n"
            "  = help: nodes: number of nodes\n"
            "1 error\n");
}

TEST_F(BadInputTest, DuplicateKey) {
  EXPECT_EQ(complaint(with("  nodes: 2\n", "  nodes: 2\n  nodes: 3\n")),
            "error: key 'nodes' is given twice\n"
            " --> a.yaml:4:3\n"
            "  |\n"
            "4 |   nodes: 3\n"
            "  |   ^^^^^\n"
            "  = help: the first one is in line 3; remove one of them\n"
            "1 error\n");
}

TEST_F(BadInputTest, MissingUnit) {
  EXPECT_EQ(complaint(with("400Gbps", "400")),
            "error: cluster.fabric.nic: '400' has no unit\n"
            " --> a.yaml:5:38\n"
            "  |\n"
            "5 |   fabric: {kind: rail_fat_tree, nic: 400}\n"
            "  |                                      ^^^\n"
            "  = help: write 400Gbps (bits) or 400GBps (bytes)\n"
            "1 error\n");
}

TEST_F(BadInputTest, NegativeBandwidth) {
  EXPECT_EQ(complaint(with("400Gbps", "-400Gbps")),
            "error: cluster.fabric.nic is -400Gbps\n"
            " --> a.yaml:5:38\n"
            "  |\n"
            "5 |   fabric: {kind: rail_fat_tree, nic: -400Gbps}\n"
            "  |                                      ^^^^^^^^\n"
            "  = help: it must be more than zero\n"
            "1 error\n");
}

TEST_F(BadInputTest, ABillionGpus) {
  EXPECT_EQ(complaint(with("nodes: 2", "nodes: 125000000")),
            "error: 125000000 nodes of 8 GPUs are 1000000000 GPUs\n"
            " --> a.yaml:3:10\n"
            "  |\n"
            "3 |   nodes: 125000000\n"
            "  |          ^^^^^^^^^\n"
            "  = help: at most 1048576 GPUs can be simulated: write at most 131072 nodes\n"
            "1 error\n");
}

TEST_F(BadInputTest, RanksAndGpusDiffer) {
  EXPECT_EQ(complaint(with("data: 2", "data: 4")),
            "error: tensor 4 x pipeline 2 x data 4 = 32 ranks, but 2 nodes x 8 GPUs = 16 GPUs\n"
            " --> a.yaml:8:45\n"
            "  |\n"
            "8 | parallelism: {tensor: 4, pipeline: 2, data: 4, schedule: 1f1b}\n"
            "  |                                             ^\n"
            "  = help: write data: 2 or leave it out\n"
            "1 error\n");
}

TEST_F(BadInputTest, LayersDoNotDivide) {
  EXPECT_EQ(complaint(with("layers: 8", "layers: 9")),
            "error: 9 layers cannot be split evenly over 2 stages\n"
            " --> a.yaml:8:36\n"
            "  |\n"
            "8 | parallelism: {tensor: 4, pipeline: 2, data: 2, schedule: 1f1b}\n"
            "  |                                    ^\n"
            "  = help: write layers_per_stage as a list of 2 numbers that add up to 9\n"
            "1 error\n");
}

TEST_F(BadInputTest, HeadsDoNotDivide) {
  EXPECT_EQ(complaint(with("heads: 16", "heads: 16, kv_heads: 2")),
            "error: kv_heads 2 of model 'inline' is not divisible by tensor 4\n"
            " --> a.yaml:8:23\n"
            "  |\n"
            "8 | parallelism: {tensor: 4, pipeline: 2, data: 2, schedule: 1f1b}\n"
            "  |                       ^\n"
            "  = help: write tensor: 2\n"
            "1 error\n");
}

// The list of what exists grows with the catalogue; the test stops before it.
TEST_F(BadInputTest, UnknownName) {
  const std::string expected =
      "error: unknown hardware 'hgx-h10'\n"
      " --> a.yaml:4:9\n"
      "  |\n"
      "4 |   node: hgx-h10\n"
      "  |         ^^^^^^^\n"
      "  = help: did you mean 'hgx-h100'? known: ";
  EXPECT_EQ(complaint(with("hgx-h100", "hgx-h10")).substr(0, expected.size()), expected);
}

TEST_F(BadInputTest, MergeKey) {
  EXPECT_EQ(complaint(with("profile: h100-sxm", "<<: {profile: h100-sxm}")),
            "error: merge keys (<<) are not allowed\n"
            " --> a.yaml:6:1\n"
            "  |\n"
            "6 | <<: {profile: h100-sxm}\n"
            "  | ^^\n"
            "  = help: to start from another file and change some keys write `base: NAME`\n"
            "1 error\n");
}

TEST_F(BadInputTest, SyntaxStopsAtTheFirst) {
  EXPECT_EQ(complaint(with("{kind: rail", "{kind: ]rail") + "data: [}\n"),
            "error: YAML syntax: illegal flow end\n"
            " --> a.yaml:5:18\n"
            "  |\n"
            "5 |   fabric: {kind: ]rail_fat_tree, nic: 400Gbps}\n"
            "  |                  ^\n"
            "  = help: look for a bracket, quote, colon or indentation that does not match\n"
            "1 error\n");
}

TEST_F(BadInputTest, SemanticMistakesAreCollected) {
  std::string text = with("400Gbps", "400");
  text.replace(text.find("1f1b"), 4, "1f1f");
  text.replace(text.find("global"), 6, "glibal");
  EXPECT_EQ(complaint(text),
            "error: cluster.fabric.nic: '400' has no unit\n"
            " --> a.yaml:5:38\n"
            "  |\n"
            "5 |   fabric: {kind: rail_fat_tree, nic: 400}\n"
            "  |                                      ^^^\n"
            "  = help: write 400Gbps (bits) or 400GBps (bytes)\n"
            "error: parallelism.schedule: unknown value '1f1f'\n"
            " --> a.yaml:8:58\n"
            "  |\n"
            "8 | parallelism: {tensor: 4, pipeline: 2, data: 2, schedule: 1f1f}\n"
            "  |                                                          ^^^^\n"
            "  = help: did you mean '1f1b'? known: gpipe, 1f1b, interleaved_1f1b\n"
            "error: missing key 'global' in batch\n"
            " --> a.yaml:9:1\n"
            "  |\n"
            "9 | batch: {glibal: 16, micro: 1, sequence: 1024}\n"
            "  | ^^^^^\n"
            "  = help: global: sequences in one step, over all ranks\n"
            "error: unknown key 'glibal' in batch\n"
            " --> a.yaml:9:9\n"
            "  |\n"
            "9 | batch: {glibal: 16, micro: 1, sequence: 1024}\n"
            "  |         ^^^^^^\n"
            "  = help: did you mean 'global'?\n"
            "4 errors\n");
}

TEST_F(BadInputTest, UnknownNamesDoNotHideOtherMistakes) {
  std::string text = with("400Gbps", "400");
  text.replace(text.find("h100-sxm\n"), 8, "h100-sxn");
  const std::string found = complaint(text);
  EXPECT_NE(found.find("'400' has no unit"), std::string::npos) << found;
  EXPECT_NE(found.find("unknown profile 'h100-sxn'"), std::string::npos) << found;
  EXPECT_TRUE(found.ends_with("2 errors\n")) << found;
}

TEST_F(BadInputTest, Numbers) {
  expect("400Gbps", ".nan", "5:38", "'.nan' is not a finite number");
  expect("400Gbps", ".inf", "5:38", "'.inf' is not a finite number");
  expect("400Gbps", "0Gbps", "5:38", "cluster.fabric.nic is 0Gbps");
  expect("400Gbps", "1e400Gbps", "5:38", "'1e400Gbps' is out of range");
  expect("400Gbps", "400ms", "5:38", "unknown unit 'ms' for network bandwidth");
  expect("nodes: 2", "nodes: 010", "3:10", "starts with a zero");
  expect("nodes: 2", "nodes: 0x2", "3:10", "'0x2' is not a decimal number");
  expect("nodes: 2", "nodes: 2.5", "3:10", "'2.5' is not a whole number");
  expect("nodes: 2", "nodes: 0", "3:10", "cluster.nodes is 0");
  expect("nodes: 2", "nodes: -2", "3:10", "cluster.nodes is -2");
  expect("nodes: 2", "nodes: 99999999999999999999", "3:10", "out of range");
  expect("nodes: 2", "nodes: 9000000000", "3:10", "cluster.nodes is 9000000000");
  expect("micro: 1", "micro: yes", "9:28", "'yes' is not a number");
  expect("layers: 8", "gated_mlp: yes, layers: 8, ffn: 4096", "7:20", "'yes' is neither true nor false");
}

TEST_F(BadInputTest, Shapes) {
  expect("nodes: 2", "nodes: [2]", "3:10", "cluster.nodes is a list, not a single value");
  expect("nodes: 2", "nodes:", "3:3", "cluster.nodes has no value");
  expect("{global: 16, micro: 1, sequence: 1024}", "16", "9:8", "batch is a value, not a map");
  expect("{global: 16, micro: 1, sequence: 1024}", "", "9:1", "batch is nothing, not a map");
  expect("batch", "faults: {slow: 3}\nbatch", "9:16", "faults.slow is a value, not a list");
  expect("batch", "faults: {slow: [3]}\nbatch", "9:17", "faults.slow.0 is a value, not a map");
  EXPECT_NE(complaint("[]").find("the scenario is a list, not a map"), std::string::npos);
  EXPECT_NE(complaint("").find("--> a.yaml\n"), std::string::npos);
}

TEST_F(BadInputTest, Choices) {
  expect("training_step", "serving", "1:11", "scenario: unknown value 'serving'");
  expect("1f1b", "1f1f", "8:58", "did you mean '1f1b'?");
  expect("rail_fat_tree", "dragonfly", "5:18", "known: none, fat_tree, rail_fat_tree, rail_only, custom");
}

TEST_F(BadInputTest, Splits) {
  expect("tensor: 4", "tensor: 3", "8:23", "heads 16 of model 'inline' is not divisible by tensor 3");
  expect("tensor: 4", "tensor: 16", "8:37", "do not fit on 2 nodes x 8 GPUs = 16 GPUs");
  expect("data: 2", "data: 1", "8:45", "cluster.idle: allow leaves the rest idle");
  expect("pipeline: 2, data: 2", "pipeline: 3, layers_per_stage: [2, 3, 3]", "8:1",
         "write cluster.idle: allow to leave 4 GPUs idle");
  expect("heads: 16", "heads: 24", "7:41", "hidden 1024 is not divisible by heads 24");
  expect("heads: 16", "heads: 16, kv_heads: 12", "7:55", "heads 16 is not divisible by kv_heads 12");
  expect("heads: 16", "heads: 16, ffn: 4098", "8:23", "ffn 4098 of model 'inline' is not divisible by tensor 4");
  expect("global: 16", "global: 17", "9:17", "write 16 or 18");
  expect("global: 16", "global: 1", "9:17", "write at least 2");
  expect("schedule: 1f1b", "layers_per_stage: [3, 4]", "8:48", "layers_per_stage adds up to 7, the model has 8 layers");
  expect("schedule: 1f1b", "layers_per_stage: [8]", "8:48", "layers_per_stage has 1 number for 2 stages");
  expect("schedule: 1f1b", "layers_per_stage: [8, 0]", "8:70", "parallelism.layers_per_stage is 0");
  expect("schedule: 1f1b", "layers_per_stage: odd", "8:66", "'odd' is no list of layers");
  expect("schedule: 1f1b", "order: tp-pp", "8:55", "'tp-pp' is no order of ranks");
  expect("sequence: 1024", "sequence: 1022", "9:41", "sequence 1022 is not divisible by tensor 4",
         {"parallelism.sequence_parallel=true"});
}

TEST_F(BadInputTest, Schedules) {
  expect("schedule: 1f1b", "tp_overlap: true", "8:60", "tp_overlap needs sequence_parallel");
  expect("1f1b", "interleaved_1f1b", "8:58", "interleaved_1f1b needs virtual_stages of 2 or more");
  expect("1f1b", "1f1b, virtual_stages: 2", "8:80", "virtual_stages 2 needs schedule interleaved_1f1b");
  expect("pipeline: 2, data: 2, schedule: 1f1b", "pipeline: 1, schedule: interleaved_1f1b, virtual_stages: 2", "8:49",
         "interleaved_1f1b needs pipeline of 2 or more");
  expect("16, micro: 1", "18, micro: 1", "9:17", "9 micro-batches a replica are not divisible by pipeline 2",
         {"parallelism.schedule=interleaved_1f1b", "parallelism.virtual_stages=2"});
  expect("1f1b", "interleaved_1f1b, virtual_stages: 3", "8:36", "pipeline 2 x virtual_stages 3 = 6 chunks");
}

TEST_F(BadInputTest, Cluster) {
  expect("batch", "faults: {slow: [{gpu: 16, factor: 0.5}]}\nbatch", "9:23", "the cluster has GPUs 0 to 15");
  expect("batch", "faults: {slow: [{gpu: 1, factor: 0.5}, {gpu: 1, factor: 0.5}]}\nbatch", "9:46", "GPU 1 is slowed twice");
  expect("batch", "faults: {slow: [{gpu: 1, factor: 0}]}\nbatch", "9:34", "it must be more than 0 and at most 1");
  expect("batch", "optimizer: {bucket: 1e18}\nbatch", "9:21", "it must be at most 1000T");  // once: at least 10k
  expect("batch", "faults: {links: [{match: \"leaf0:*\", factor: 2}]}\nbatch", "9:45", "faults.links.0.factor is 2");
  expect("node: hgx", "placement: [0, 2]\n  node: hgx", "4:3", "placement names node 2, but there are 2 nodes");
  expect("node: hgx", "placement: [0, 0]\n  node: hgx", "4:3", "placement names node 0 twice");
  expect("node: hgx", "placement: ./hosts\n  node: hgx", "4:14", "cannot find the file './hosts'");
  expect("node: hgx", "placement: near\n  node: hgx", "4:14", "'near' is no placement");
  expect("node: hgx", "placement: [0-1000000, 0-1000000]\n  node: hgx", "4:26", "'0-1000000' is no node number");
  expect("node: hgx", "placement: [1-0]\n  node: hgx", "4:15", "'1-0' is no node number");
  expect("node: hgx", "placement: [0]\n  node: hgx", "4:3", "placement names 1 node, 16 ranks need 2");
  expect("rail_fat_tree", "custom", "5:18", "a custom fabric needs 'edges'");
  expect("rail_fat_tree", "none", "5:18", "2 nodes with fabric kind none cannot talk");
  expect("nic: 400Gbps", "edges: [{from: a, to: b, bandwidth: 1Gbps}]", "5:33", "edges are only read with kind custom");
  expect("  fabric: {kind: rail_fat_tree, nic: 400Gbps}\n", "", "2:1", "missing key 'fabric' in cluster");
  expect("hgx-h100", "{base: hgx-h100, nics: 3}", "4:32", "3 NICs cannot be spread evenly over 8 GPUs");
  expect("hgx-h100", "{base: hgx-h100, gpu: {peak: {fp32: 67TFLOP/s}}, nics: 0}", "4:64", "2 nodes without NICs cannot talk");
}

TEST_F(BadInputTest, Overrides) {
  EXPECT_EQ(complaint(good(), {"cluster.nodez=3"}),
            "error: unknown key 'nodez' in cluster\n"
            " --> --set:1:9\n"
            "  |\n"
            "1 | cluster.nodez=3\n"
            "  |         ^^^^^\n"
            "  = help: did you mean 'nodes'?\n"
            "1 error\n");
  const auto gist = [&](const std::string& override_text, const std::string& text) {
    const std::string found = complaint(good(), {override_text});
    EXPECT_NE(found.find(text), std::string::npos) << found;
  };
  gist("cluster.nodes", "'cluster.nodes' is not KEY=VALUE");
  gist("=3", "'=3' is not KEY=VALUE");
  gist("cluster..nodes=3", "empty key in the path");
  gist("cluster.nodes.x=3", "cluster.nodes is a single value and has no 'x' inside");
  gist("cluster.node.gpu.memory=80", "'80' has no unit");
  gist("cluster.nodes=[", "YAML syntax");
  gist("cluster.node=hgx-h10", "did you mean 'hgx-h100'?");
  gist("parallelism.layers_per_stage.0=3", "parallelism.layers_per_stage: a map is no list of layers");
}

TEST_F(BadInputTest, ExpectationsThatSayNothing) {
  const std::string last = "sequence: 1024}\n";
  expect(last, last + "expect: {step_time: {}}\n", "10:10", "expect says nothing about the step time");
  expect(last, last + "expect: {step_time: {min: 3s, max: 2s}}\n", "10:10", "no step time is at least 3 s and at most 2 s");
  expect("schedule: 1f1b", "layers_per_stage: []", "8:66", "the list of layers is empty");
}

// Each is a warning, at the key.
TEST_F(BadInputTest, SettingsWithoutEffectAreTold) {
  const auto warnings = [&](const std::vector<std::string>& overrides) {
    std::string all;
    for (const std::string& warning : load(good(), overrides).warnings) all += warning + "\n";
    return all;
  };
  EXPECT_NE(warnings({"cluster.fabric.kind=rail_only", "cluster.fabric.oversubscription.leaf=2"})
                .find("oversubscription has no effect: rail_only has no switch above the leaves"),
            std::string::npos);
  EXPECT_NE(warnings({"cluster.fabric.tiers=2", "cluster.fabric.oversubscription.spine=2"})
                .find("oversubscription.spine has no effect: two tiers"),
            std::string::npos);
  EXPECT_NE(warnings({"optimizer.zero=0", "optimizer.overlap_parameters=true"}).find("overlap_parameters has no effect"),
            std::string::npos);
  EXPECT_EQ(warnings({"cluster.fabric.oversubscription.leaf=1"}), warnings({}));
}

TEST_F(BadInputTest, CatalogueFilesAreBlamedThemselves) {
  write("models/mine.yaml", "layers: 8\nhiden: 1024\nheads: 16\nvocab: 51200\n");
  const std::string text = complaint(with("{layers: 8, hidden: 1024, heads: 16, vocab: 51200}", "mine"));
  EXPECT_NE(text.find("error: unknown key 'hiden' in model\n --> models/mine.yaml:2:1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("error: missing key 'hidden' in model\n --> a.yaml:7:1\n"), std::string::npos) << text;
}

TEST_F(BadInputTest, CirclesOfBases) {
  write("models/x.yaml", "base: y\n");
  write("models/y.yaml", "base: x\n");
  EXPECT_NE(complaint(with("{layers: 8, hidden: 1024, heads: 16, vocab: 51200}", "x")).find("is based on itself"),
            std::string::npos);
  EXPECT_NE(complaint("base: a.yaml\n").find("'a.yaml' is based on itself"), std::string::npos);
}

TEST_F(BadInputTest, FilesThatCannotBeRead) {
  EXPECT_THROW(load_scenario("nowhere.yaml"), FileError);
  write("folder/x", "");
  EXPECT_THROW(load_scenario("folder"), FileError);
  expect("hgx-h100", "./nowhere.yaml", "4:9", "cannot find the file './nowhere.yaml'");
  expect("hgx-h100", "folder/", "4:9", "cannot find the file 'folder/'");
}

TEST_F(BadInputTest, LocateFindsTheNearestKey) {
  const Scenario s = load(good());
  EXPECT_EQ(render(locate(s, "cluster.fabric.leaf_radix", "too small", "write 64")),
            "error: too small\n"
            " --> a.yaml:5:3\n"
            "  |\n"
            "5 |   fabric: {kind: rail_fat_tree, nic: 400Gbps}\n"
            "  |   ^^^^^^\n"
            "  = help: write 64\n");
  EXPECT_EQ(locate(s, "cluster.fabric.nic", "", "").column, 38);
  EXPECT_EQ(locate(s, "cluster.node.nics", "", "").source,
            std::string(GRIDLOCK_SOURCE_DIR) + "/scenarios/hardware/hgx-h100.yaml");
  EXPECT_EQ(locate(s, "nothing", "", "").line, 0);
}

}  // namespace
}  // namespace gridlock::scenario
