#include "sim/model/memory.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "sample_models.hpp"

namespace gridlock::model {
namespace {

constexpr double gib = 1024.0 * 1024 * 1024;

// Korthikanti et al. 2022, section 4: s b h (10 + 24/t + 5 a s / (h t)) a layer; with sequence parallel s b h / t (34 + 5 a s /
// h); selective recomputation drops 5 a s; full keeps 2 s b h.
TEST(Memory, LayerActivationsOfGpt) {
  BlockInput in = test::gpt_22b();
  const double sbh = 2048.0 * 4 * 6144, t = 8, core = 5.0 * 64 * 2048 / 6144;
  EXPECT_NEAR(kept_layer_activations(in) / (sbh * (10 + 24 / t + core / t)), 1, 1e-12);
  in.sequence_parallel = true;
  EXPECT_NEAR(kept_layer_activations(in) / (sbh / t * (34 + core)), 1, 1e-12);
  in.recompute = Recompute::selective;
  EXPECT_NEAR(kept_layer_activations(in) / (sbh / t * 34), 1, 1e-12);
  in.sequence_parallel = false;
  in.recompute = Recompute::full;
  EXPECT_NEAR(kept_layer_activations(in) / (sbh * 2), 1, 1e-12);
}

// The first interleaved stage holds l (1 + (p-1) / (p v)) layers of activations (Korthikanti et al. 2022, section 4.2.3):
// p = 8, v = 3, 4 layers a chunk: 2 * 7 + 2 * 8 + 1 = 31 chunk passes of 4 layers = 124 = 96 (1 + 7/24).
TEST(Memory, InterleavedWarmUp) {
  const auto first = micro_batches_in_flight(PipelineKind::interleaved_1f1b, 0, 8, 3, 64);
  EXPECT_EQ(first, (std::vector<int>{15, 8, 8}));
  EXPECT_EQ(std::accumulate(first.begin(), first.end(), 0), 31);
  // The last stage: 0 + 16 + 1 passes.
  EXPECT_EQ(micro_batches_in_flight(PipelineKind::interleaved_1f1b, 7, 8, 3, 64), (std::vector<int>{8, 8, 1}));
  // No more than there are.
  EXPECT_EQ(micro_batches_in_flight(PipelineKind::interleaved_1f1b, 0, 8, 3, 8), (std::vector<int>{8, 8, 8}));
}

TEST(Memory, OtherSchedulesInFlight) {
  EXPECT_EQ(micro_batches_in_flight(PipelineKind::gpipe, 3, 4, 1, 10), (std::vector<int>{10}));
  EXPECT_EQ(micro_batches_in_flight(PipelineKind::one_f_one_b, 0, 4, 1, 10), (std::vector<int>{4}));
  EXPECT_EQ(micro_batches_in_flight(PipelineKind::one_f_one_b, 3, 4, 1, 10), (std::vector<int>{1}));
  EXPECT_EQ(micro_batches_in_flight(PipelineKind::one_f_one_b, 0, 4, 1, 2), (std::vector<int>{2}));
}

struct PublishedMemory {
  const char* name;
  int layers;
  std::int64_t hidden;
  int heads, stages, chunks, micro, micro_batches;
  double state_gib, baseline_gib, reduced_gib;
};

// Korthikanti et al. 2022, figure 1, as digitised in calculon's validation.py (github.com/calculon-ai/calculon): GiB of
// parameters and optimizer on a stage of layers alone, and of layer activations on the first stage, with tensor parallel alone
// and with sequence parallel and selective recomputation. Read off a figure: 3 %.
TEST(Memory, PublishedFigures) {
  for (const PublishedMemory& row : {PublishedMemory{"22B", 48, 6144, 64, 1, 1, 4, 1, 45.56, 59.25, 9.56},
                                     PublishedMemory{"175B", 96, 12288, 96, 8, 3, 1, 64, 45.56, 66.84, 12.35},
                                     PublishedMemory{"530B", 105, 20480, 128, 35, 3, 1, 280, 31.64, 114.02, 23.08},
                                     PublishedMemory{"1T", 128, 25600, 160, 64, 1, 1, 512, 32.96, 131.25, 26.56}}) {
    StageMemoryInput in;
    in.block = test::gpt_22b();
    in.block.model = test::gpt(row.layers, row.hidden, row.heads);
    in.block.micro = row.micro;
    in.stages = row.stages;
    in.stage = row.stages / 2;
    const std::vector<int> chunk_layers(static_cast<std::size_t>(row.chunks), row.layers / row.stages / row.chunks);
    in.chunk_layers = chunk_layers;
    const MemoryParts parts = stage_memory(in);
    EXPECT_NEAR((parts.weights + parts.gradients + parts.optimizer) / gib / row.state_gib, 1, 0.03) << row.name;

    const auto schedule = row.chunks > 1 ? PipelineKind::interleaved_1f1b : PipelineKind::one_f_one_b;
    const auto held = micro_batches_in_flight(schedule, 0, row.stages, row.chunks, row.micro_batches);
    const double layers_held = std::accumulate(held.begin(), held.end(), 0) * chunk_layers.front();
    EXPECT_NEAR(layers_held * kept_layer_activations(in.block) / gib / row.baseline_gib, 1, 0.03) << row.name;
    in.block.sequence_parallel = true;
    in.block.recompute = Recompute::selective;
    EXPECT_NEAR(layers_held * kept_layer_activations(in.block) / gib / row.reduced_gib, 1, 0.03) << row.name;
  }
}

// What comes on top on a single stage: the recomputed core of one layer, the embedding's dropout mask, and the head's norm input
// and output, 16-bit logits and fp32 softmax.
TEST(Memory, ActivationsOutsideTheLayers) {
  const std::vector<int> chunk_layers{48};
  StageMemoryInput in;
  in.block = test::gpt_22b();
  in.block.sequence_parallel = true;
  in.block.recompute = Recompute::selective;
  in.chunk_layers = chunk_layers;
  const double m = 8192, h = 6144, t = 8;
  const double beyond_layers = m * 2048 * 8 * 5 + m * h / t * 1 + m * h / t * 4 + m * 6400 * 6;
  EXPECT_NEAR((stage_memory(in).activations - 48 * kept_layer_activations(in.block)) / beyond_layers, 1, 1e-9);
}

// 18 bytes a parameter: 2 + 4 + 12; ZeRO-1 over 4 divides the 12.
TEST(Memory, ZeroShardsTheOptimizer) {
  const std::vector<int> chunk_layers{48};
  StageMemoryInput in;
  in.block = test::gpt_22b();
  in.chunk_layers = chunk_layers;
  const double p = stage_parameters(in);
  EXPECT_DOUBLE_EQ(stage_memory(in).optimizer, 12 * p);
  in.data = 4;
  EXPECT_DOUBLE_EQ(stage_memory(in).optimizer, 12 * p);
  in.shard_optimizer = true;
  EXPECT_DOUBLE_EQ(stage_memory(in).optimizer, 3 * p);
  EXPECT_DOUBLE_EQ(stage_memory(in).weights, 2 * p);
  EXPECT_DOUBLE_EQ(stage_memory(in).gradients, 4 * p);
  EXPECT_EQ(stage_memory(in).buffers, in.block.profile.reserved_bytes);
}

// Without tensor parallel the parameters of all stages are the model's, plus one copy of a tied table and the padding.
TEST(Memory, StageParametersAddUp) {
  for (const bool tied : {false, true}) {
    StageMemoryInput in;
    in.block = test::gpt_22b();
    in.block.tensor = 1;
    in.block.model.tied_embeddings = tied;
    in.stages = 4;
    const std::vector<int> chunk_layers{12};
    in.chunk_layers = chunk_layers;
    double sum = 0;
    for (in.stage = 0; in.stage < 4; ++in.stage) sum += stage_parameters(in);
    const double copy = tied ? 51200.0 * 6144 : 0;
    EXPECT_NEAR(sum / (total_parameters(in.block.model, 2048) + copy), 1, 1e-12);
  }
}

// Llama 8B on one GPU, flash, micro-batch 1, M = 8192 rows: norms 8 M h; q 2, k and v 2 x 2, context 2, up 2 x 2, down input 2
// columns; row sums 4 bytes a head.
TEST(Memory, GroupedHeadsGatedMlpAndFlash) {
  BlockInput in = test::gpt_22b();
  in.model = test::llama_8b();
  in.profile.attention = Attention::flash;
  in.tensor = 1;
  in.micro = 1;
  in.sequence = 8192;
  const double m = 8192;
  EXPECT_DOUBLE_EQ(kept_layer_activations(in), m * 8 * 4096 + m * 2 * (4096 + 2 * 1024 + 4096 + 3 * 14336) + m * 32 * 4);
}

}  // namespace
}  // namespace gridlock::model
