// The oracle on scenarios drawn by seed: layouts, fabrics, routing, placement, overlaps and faults, at most 8 layers and 8
// micro-batches. A failure prints the scenario.
#include <random>

#include "outcome.hpp"
#include "scenario_text.hpp"
#include "sim/parallel/step_builder.hpp"

namespace gridlock::engine::test {
namespace {

class ScenarioDraw {
 public:
  explicit ScenarioDraw(unsigned seed) : random_(seed) {}
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  bool coin() { return below(2) == 0; }
  template <class T>
  T one_of(std::initializer_list<T> values) {
    return *(values.begin() + below(static_cast<int>(values.size())));
  }
  std::string yes_or_no() { return coin() ? "true" : "false"; }

 private:
  std::mt19937 random_;
};

std::string fabric(ScenarioDraw& draw) {
  std::string text = "kind: " + draw.one_of<std::string>({"rail_fat_tree", "rail_fat_tree", "fat_tree", "rail_only"});
  const bool rails = text != "kind: fat_tree";
  text += ", nic: " + draw.one_of<std::string>({"200Gbps", "400Gbps"}) + ", leaf_radix: " + (rails ? "10" : "64") +
          ", scalable_unit: " + (rails ? "4" : "4");
  text += ", routing: " + draw.one_of<std::string>({"adaptive", "static", "ecmp"});
  if (draw.coin()) text += ", oversubscription: {leaf: " + draw.one_of<std::string>({"2", "4"}) + "}";
  if (draw.coin()) text += ", pxn: " + draw.yes_or_no();
  return text;
}

std::string faults(ScenarioDraw& draw, int nodes) {
  std::string text;
  if (draw.below(3) == 0)
    text += "slow: [{gpu: " + std::to_string(draw.below(nodes * 8)) + ", factor: 0." + std::to_string(5 + draw.below(5)) + "}]";
  if (draw.below(3) == 0) {
    if (!text.empty()) text += ", ";
    const std::string node = "node" + std::to_string(draw.below(nodes)), unit = std::to_string(draw.below(8));
    const std::string cable = draw.coin() ? node + ".nic" + unit + ":leaf*" : node + ".gpu" + unit + ":" + node + ".nvswitch";
    text += "links: [{match: \"" + cable + "\", factor: " + draw.one_of<std::string>({"0.5", "0.1", "0.02"}) + "}]";
  }
  return text;
}

ScenarioText random_scenario(unsigned seed, int nodes) {
  ScenarioDraw draw(seed);
  ScenarioText text;
  text.nodes = nodes;
  text.seed = static_cast<int>(seed);
  text.fabric = fabric(draw);
  text.placement = draw.below(3) == 0 ? "scattered" : "packed";
  text.faults = faults(draw, nodes);

  const int gpus = nodes * 8;
  const int tensor = draw.one_of({1, 2, 4, 8}), pipeline = draw.one_of({1, 2, 2, 4}), data = gpus / tensor / pipeline;
  const bool interleaved = pipeline > 1 && draw.coin();
  const int chunks = interleaved ? 2 : 1;
  const int most = 8 / (pipeline * chunks);
  const int layers = pipeline * chunks * (most > 1 ? 1 + draw.below(2) : 1);
  const int micro_batches = pipeline * (1 + draw.below(8 / pipeline > 2 ? 2 : 8 / pipeline));
  text.parallelism =
      "tensor: " + std::to_string(tensor) + ", pipeline: " + std::to_string(pipeline) + ", data: " + std::to_string(data);
  text.parallelism +=
      ", schedule: " + (interleaved ? "interleaved_1f1b, virtual_stages: 2" : draw.one_of<std::string>({"1f1b", "gpipe"}));
  if (tensor > 1) text.parallelism += ", sequence_parallel: " + draw.yes_or_no() + ", scatter_gather: " + draw.yes_or_no();
  if (tensor > 1 && draw.below(3) == 0) text.parallelism += ", tp_overlap: true, sequence_parallel: true";
  if (draw.coin()) text.parallelism += ", overlap_p2p: " + draw.yes_or_no();
  if (draw.below(3) == 0) text.parallelism += ", order: " + draw.one_of<std::string>({"tp-pp-dp", "dp-tp-pp", "pp-dp-tp"});

  // Wide layers, so that kernels and calls take turns to be the longer one.
  const std::string width = draw.one_of<std::string>({"1024", "4096"});
  text.model = "layers: " + std::to_string(layers) + ", hidden: " + width +
               ", heads: 32, vocab: 51200, tied_embeddings: " + draw.yes_or_no();
  text.batch =
      "global: " + std::to_string(micro_batches * data) + ", micro: 1, sequence: " + draw.one_of<std::string>({"1024", "2048"});
  text.optimizer = "zero: " + draw.one_of<std::string>({"0", "1"}) +
                   ", bucket: " + draw.one_of<std::string>({"6M", "11M", "40M"}) + ", overlap_gradients: " + draw.yes_or_no() +
                   ", overlap_parameters: " + draw.yes_or_no();
  text.recompute = draw.one_of<std::string>({"none", "selective", "full"});
  return text;
}

std::string without_second_sequence_parallel(std::string text) {
  const std::string key = ", sequence_parallel: ";
  const std::size_t first = text.find(key), second = text.find(key, first + 1);
  if (second != std::string::npos) text.erase(first, text.find(',', first + 2) - first);
  return text;
}

void expect_folding_of_draw_is_exact(ScenarioText text) {
  text.parallelism = without_second_sequence_parallel(text.parallelism);
  SCOPED_TRACE(text.yaml());
  const scenario::Scenario scenario = load(text);
  const Outcome full = measure_in_child([&] { return simulate(scenario, {.fold = false}); });
  const auto graph = parallel::build_step_graph(scenario);
  for (Sharing sharing : {Sharing::simgrid, Sharing::incremental}) {
    SCOPED_TRACE(sharing == Sharing::simgrid ? "shared by SimGrid" : "shared incrementally");
    const Outcome folded = measure_in_child([&] { return simulate(scenario, {.fold = true, .sharing = sharing}); });
    ::testing::Test::RecordProperty("rank_classes", std::to_string(folded.counts[3]));
    expect_equal(graph, folded, full);
  }
}

class RandomOracle : public ::testing::TestWithParam<unsigned> {};

TEST_P(RandomOracle, On64Gpus) { expect_folding_of_draw_is_exact(random_scenario(GetParam(), 8)); }

INSTANTIATE_TEST_SUITE_P(Seeds, RandomOracle, ::testing::Range(1u, 29u));

class RandomOracleOn256 : public ::testing::TestWithParam<unsigned> {};

TEST_P(RandomOracleOn256, Gpus) { expect_folding_of_draw_is_exact(random_scenario(GetParam(), 32)); }

INSTANTIATE_TEST_SUITE_P(Seeds, RandomOracleOn256, ::testing::Range(101u, 105u));

}  // namespace
}  // namespace gridlock::engine::test
