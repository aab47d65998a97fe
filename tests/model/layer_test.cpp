#include "sim/model/layer.hpp"

#include <gtest/gtest.h>

#include "sample_models.hpp"

namespace gridlock::model {
namespace {

using collectives::Kind;

std::vector<std::string> collective_labels(const Block& block) {
  std::vector<std::string> labels;
  for (const BlockOp& op : block.ops) {
    if (op.is_collective) labels.push_back(op.label);
  }
  return labels;
}

bool waits_for(const Block& block, const std::string& op, const std::string& on) {
  const int waiting = test::find(block, op), earlier = test::find(block, on);
  if (waiting < 0 || earlier < 0) return false;
  const auto& after = block.ops[static_cast<std::size_t>(waiting)].after;
  return after[0] == earlier || after[1] == earlier;
}

// Forward + backward of one layer over its t GPUs: 72 B s h^2 (1 + s / (6 h)); forward is a third. Selective recomputation adds
// the attention core 4 B s^2 h, full another forward pass 24 B s h^2 (1 + s / (6 h)).
TEST(Layer, FlopsAddUpToTheClosedForm) {
  for (const bool sequence_parallel : {false, true}) {
    BlockInput in = test::gpt_22b();
    in.sequence_parallel = sequence_parallel;
    const double b = 4, s = 2048, h = 6144;
    const double forward = 24 * b * s * h * h * (1 + s / (6 * h));
    EXPECT_NEAR(in.tensor * test::total_flops(layer_forward(in)) / forward, 1, 1e-12);
    EXPECT_NEAR(in.tensor * test::total_flops(layer_backward(in)) / (2 * forward), 1, 1e-12);
    in.recompute = Recompute::selective;
    EXPECT_NEAR(in.tensor * test::total_flops(layer_backward(in)) / (2 * forward + 4 * b * s * s * h), 1, 1e-12);
    in.recompute = Recompute::full;
    EXPECT_NEAR(in.tensor * test::total_flops(layer_backward(in)) / (3 * forward), 1, 1e-12);
  }
}

// Llama 8B, tensor 1, flash: linear layers 2 M h (2 q + 2 kv + 3 f) with q = 4096, kv = 1024, f = 14336; attention 2 M s q.
TEST(Layer, GroupedHeadsAndGatedMlp) {
  BlockInput in = test::gpt_22b();
  in.model = test::llama_8b();
  in.profile.attention = Attention::flash;
  in.tensor = 1;
  in.micro = 1;
  in.sequence = 8192;
  const double m = 8192, h = 4096;
  const double linear = 2 * m * h * (2 * 4096 + 2 * 1024 + 3 * 14336), core = 2 * m * 8192 * 4096;
  EXPECT_NEAR(test::total_flops(layer_forward(in)) / (linear + core), 1, 1e-12);
  EXPECT_NEAR(test::total_flops(layer_backward(in)) / (2 * linear + 2.5 * core), 1, 1e-12);
  EXPECT_TRUE(collective_labels(layer_forward(in)).empty());
  EXPECT_GE(test::find(layer_forward(in), "rotary"), 0);
  EXPECT_LT(test::find(layer_forward(in), "qkv.bias"), 0);
}

TEST(Layer, WithoutSequenceParallelAllReducesBlockForwardAndHideUnderWeightGradients) {
  const BlockInput in = test::gpt_22b();
  const Block forward = layer_forward(in), backward = layer_backward(in);
  EXPECT_EQ(collective_labels(forward), (std::vector<std::string>{"projection.all_reduce", "mlp.down.all_reduce"}));
  EXPECT_TRUE(waits_for(forward, "projection.all_reduce", "projection"));
  EXPECT_TRUE(waits_for(forward, "residual1", "projection.all_reduce"));
  EXPECT_EQ(forward.ops[static_cast<std::size_t>(test::find(forward, "projection.all_reduce"))].message_bytes, 2.0 * 8192 * 6144);

  EXPECT_EQ(collective_labels(backward), (std::vector<std::string>{"mlp.up.all_reduce", "qkv.all_reduce"}));
  EXPECT_TRUE(waits_for(backward, "mlp.up.all_reduce", "mlp.up.dgrad"));
  EXPECT_FALSE(waits_for(backward, "mlp.up.wgrad", "mlp.up.all_reduce"));
  EXPECT_TRUE(waits_for(backward, "norm2.dgrad", "mlp.up.all_reduce"));
}

// Megatron-LM of 2021: the all-reduce stands alone before the weight gradient, which is added to the fp32 buffer by a kernel of
// its own: (2 + 4 + 4) bytes for each of the h x 4 h / t weights.
TEST(Layer, OlderStacksNeitherOverlapNorFuse) {
  BlockInput in = test::gpt_22b();
  in.profile.overlap_tensor_backward = in.profile.fused_accumulation = false;
  in.gradient_bytes = 4;
  const Block backward = layer_backward(in);
  EXPECT_TRUE(waits_for(backward, "mlp.up.wgrad", "mlp.up.all_reduce"));
  const BlockOp& add = backward.ops[static_cast<std::size_t>(test::find(backward, "mlp.up.accumulate"))];
  EXPECT_DOUBLE_EQ(add.bytes, 10.0 * 6144 * 4 * 6144 / in.tensor);
  in.profile.fused_accumulation = true;
  EXPECT_LT(test::find(layer_backward(in), "mlp.up.accumulate"), 0);
}

TEST(Layer, SequenceParallelGathersAgainUnderTheDataGradient) {
  BlockInput in = test::gpt_22b();
  in.sequence_parallel = true;
  const Block forward = layer_forward(in), backward = layer_backward(in);
  EXPECT_EQ(collective_labels(forward), (std::vector<std::string>{"qkv.all_gather", "projection.reduce_scatter",
                                                                  "mlp.up.all_gather", "mlp.down.reduce_scatter"}));
  EXPECT_TRUE(waits_for(forward, "qkv", "qkv.all_gather"));
  EXPECT_EQ(collective_labels(backward),
            (std::vector<std::string>{"mlp.down.dgrad.all_gather", "mlp.up.all_gather", "mlp.up.reduce_scatter",
                                      "projection.dgrad.all_gather", "qkv.all_gather", "qkv.reduce_scatter"}));
  EXPECT_TRUE(waits_for(backward, "mlp.down.dgrad", "mlp.down.dgrad.all_gather"));
  EXPECT_FALSE(waits_for(backward, "mlp.up.dgrad", "mlp.up.all_gather"));
  EXPECT_TRUE(waits_for(backward, "mlp.up.wgrad", "mlp.up.all_gather"));
  EXPECT_TRUE(waits_for(backward, "mlp.up.reduce_scatter", "mlp.up.dgrad"));
  EXPECT_TRUE(waits_for(backward, "norm2.dgrad", "mlp.up.reduce_scatter"));
  for (const BlockOp& op : backward.ops) {
    if (op.is_collective) {
      EXPECT_EQ(op.message_bytes, 2.0 * 8192 * 6144) << op.label;
    }
  }
}

// Overlap changes when things run, not what is computed or sent.
TEST(Layer, OverlapKeepsFlopsAndTraffic) {
  BlockInput in = test::gpt_22b();
  in.sequence_parallel = true;
  const auto message_bytes = [](const Block& block, Kind kind) {
    double sum = 0;
    for (const BlockOp& op : block.ops) sum += op.is_collective && op.kind == kind ? op.message_bytes : 0;
    return sum;
  };
  const Block plain = layer_forward(in);
  in.tp_overlap = true;
  const Block overlapped = layer_forward(in);
  EXPECT_NEAR(test::total_flops(overlapped) / test::total_flops(plain), 1, 1e-12);
  EXPECT_DOUBLE_EQ(message_bytes(overlapped, Kind::all_gather), message_bytes(plain, Kind::all_gather));
  EXPECT_DOUBLE_EQ(message_bytes(overlapped, Kind::reduce_scatter), message_bytes(plain, Kind::reduce_scatter));
  EXPECT_FALSE(waits_for(overlapped, "qkv", "qkv.all_gather"));
  EXPECT_TRUE(waits_for(overlapped, "qkv.last_chunk", "qkv.all_gather"));
  EXPECT_TRUE(waits_for(overlapped, "projection.reduce_scatter", "projection.first_chunk"));
  EXPECT_TRUE(waits_for(overlapped, "residual1", "projection.last_reduce_scatter"));
}

// Norms, dropout and residual work on 1/t of the rows with sequence parallel: 2 norms x 4 + 2 residuals x 7 bytes a value less
// seven eighths.
TEST(Layer, SequenceParallelShardsNormsAndResiduals) {
  BlockInput in = test::gpt_22b();
  const double whole = test::total_bytes(layer_forward(in));
  in.sequence_parallel = true;
  EXPECT_NEAR(whole - test::total_bytes(layer_forward(in)), 8192.0 * 6144 * (2 * 4 + 2 * 7) * 7 / 8, 1);
}

TEST(Layer, FullRecomputationRunsTheForwardPassFirst) {
  BlockInput in = test::gpt_22b();
  in.recompute = Recompute::full;
  const Block forward = layer_forward(in), backward = layer_backward(in);
  ASSERT_GT(backward.ops.size(), forward.ops.size());
  for (std::size_t i = 0; i < forward.ops.size(); ++i) EXPECT_EQ(backward.ops[i].label, forward.ops[i].label);
  EXPECT_TRUE(waits_for(backward, "residual2", "mlp.down.all_reduce"));
}

TEST(Layer, DependenciesPointBackwards) {
  for (const bool overlap : {false, true}) {
    BlockInput in = test::gpt_22b();
    in.sequence_parallel = true;
    in.tp_overlap = overlap;
    in.recompute = Recompute::full;
    const Block block = layer_backward(in);
    for (std::size_t i = 0; i < block.ops.size(); ++i) {
      for (const std::int16_t after : block.ops[i].after) EXPECT_LT(after, static_cast<int>(i));
    }
  }
}

}  // namespace
}  // namespace gridlock::model
