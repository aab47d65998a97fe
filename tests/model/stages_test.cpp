// Embedding, head and optimizer.
#include <gtest/gtest.h>

#include "sample_models.hpp"
#include "sim/model/embedding.hpp"
#include "sim/model/head.hpp"
#include "sim/model/optimizer.hpp"

namespace gridlock::model {
namespace {

using collectives::Kind;

// Forward + backward 6 M h V over the t GPUs: 2 M h V / t each for logits, data and weight gradient. V = 51200 needs no padding.
TEST(Head, FlopsAndCollectives) {
  BlockInput in = test::gpt_22b();
  const Block forward = head_forward(in), backward = head_backward(in);
  EXPECT_DOUBLE_EQ(in.tensor * (test::total_flops(forward) + test::total_flops(backward)), 6.0 * 8192 * 6144 * 51200);
  int small = 0;
  for (const BlockOp& op : forward.ops) {
    if (op.is_collective) {
      EXPECT_EQ(op.kind, Kind::all_reduce);
      EXPECT_EQ(op.message_bytes, 4.0 * 8192);
      ++small;
    }
  }
  EXPECT_EQ(small, 3);
  in.sequence_parallel = true;
  EXPECT_GE(test::find(head_forward(in), "logits.all_gather"), 0);
  EXPECT_GE(test::find(head_backward(in), "logits.reduce_scatter"), 0);
  in.tp_overlap = true;
  EXPECT_LT(test::find(head_forward(in), "logits.last_chunk"), 0);
}

// 38 bytes a logit forward, 14 backward, besides the norm and the GEMMs.
TEST(Head, LossBytes) {
  const BlockInput in = test::gpt_22b();
  const auto loss_bytes = [](const Block& block) {
    double sum = 0;
    for (const BlockOp& op : block.ops) sum += op.label.starts_with("loss.") ? op.bytes : 0;
    return sum;
  };
  EXPECT_DOUBLE_EQ(loss_bytes(head_forward(in)), 38.0 * 8192 * 6400);
  EXPECT_DOUBLE_EQ(loss_bytes(head_backward(in)), 14.0 * 8192 * 6400);
}

// 50257 over 8 ranks: 6282.1 columns, padded to 50 x 128 = 6400.
TEST(Head, VocabularyIsPadded) {
  BlockInput in = test::gpt_22b();
  in.model.vocab = 50257;
  EXPECT_EQ(in.vocab_columns(), 6400);
}

TEST(Embedding, ReductionFollowsSequenceParallel) {
  BlockInput in = test::gpt_22b();
  const Block plain = embedding_forward(in);
  const int reduce = test::find(plain, "embedding.all_reduce");
  ASSERT_GE(reduce, 0);
  EXPECT_EQ(plain.ops[static_cast<std::size_t>(reduce)].message_bytes, 2.0 * 8192 * 6144);
  in.sequence_parallel = true;
  EXPECT_GE(test::find(embedding_forward(in), "embedding.reduce_scatter"), 0);
  EXPECT_GE(test::find(embedding_backward(in), "embedding.all_gather"), 0);
  in.sequence_parallel = false;
  in.tensor = 1;
  for (const BlockOp& op : embedding_forward(in).ops) EXPECT_FALSE(op.is_collective);
}

// fp32 gradients: norm 4; clip 8, Adam 28, cast 6, clear 4 bytes a parameter; loss scaling adds 8 to the norm.
TEST(OptimizerStep, BytesAParameter) {
  BlockInput in = test::gpt_22b();
  EXPECT_DOUBLE_EQ(test::total_bytes(gradient_norm(in, 1e9)), 4e9);
  EXPECT_DOUBLE_EQ(test::total_bytes(optimizer_step(in, 1e9, 1e9)), 46e9);
  in.loss_scaling = true;
  EXPECT_DOUBLE_EQ(test::total_bytes(gradient_norm(in, 1e9)), 12e9);
}

// ZeRO-1 over 4 ranks: a quarter is updated, all gradients are cleared: 42 / 4 + 4. bf16 gradients: clip 4, Adam 26, cast 6.
TEST(OptimizerStep, ShardedUpdateAndNarrowGradients) {
  BlockInput in = test::gpt_22b();
  EXPECT_DOUBLE_EQ(test::total_bytes(optimizer_step(in, 0.25e9, 1e9)), 42e9 / 4 + 4e9);
  in.gradient_bytes = 2;
  EXPECT_DOUBLE_EQ(test::total_bytes(optimizer_step(in, 1e9, 1e9)), (4.0 + 26 + 6 + 2) * 1e9);
}

}  // namespace
}  // namespace gridlock::model
