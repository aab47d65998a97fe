#include "sim/model/attention.hpp"

#include <gtest/gtest.h>

#include "sample_models.hpp"

namespace gridlock::model {
namespace {

Block forward(const BlockInput& in) {
  BlockBuilder block("attention", in);
  attention_forward(block);
  return block.finish();
}

Block backward(const BlockInput& in) {
  BlockBuilder block("attention", in);
  attention_backward(block);
  return block.finish();
}

double bytes_of(const Block& block, const std::string& label) {
  const int op = test::find(block, label);
  return op < 0 ? 0 : block.ops[static_cast<std::size_t>(op)].bytes;
}

// 4 sequences, 8 heads a GPU, 2048^2 scores each: softmax 4 bytes a score, dropout 5; backward dropout 5, softmax 6.
TEST(Attention, UnfusedScoreTraffic) {
  const BlockInput in = test::gpt_22b();
  const double scores = 4.0 * 8 * 2048 * 2048;
  EXPECT_DOUBLE_EQ(bytes_of(forward(in), "attention.softmax"), 4 * scores);
  EXPECT_DOUBLE_EQ(bytes_of(forward(in), "attention.dropout"), 5 * scores);
  EXPECT_DOUBLE_EQ(bytes_of(backward(in), "attention.dropout.backward"), 5 * scores);
  EXPECT_DOUBLE_EQ(bytes_of(backward(in), "attention.softmax.backward"), 6 * scores);
  BlockInput without = in;
  without.model.dropout = false;
  EXPECT_LT(test::find(forward(without), "attention.dropout"), 0);
}

// Scores and context are one GEMM a head: 2 * 4 * 8 * 2048^2 * 96 FLOPs each, four of them backward.
TEST(Attention, UnfusedFlops) {
  const BlockInput in = test::gpt_22b();
  const double product = 2.0 * 4 * 8 * 2048 * 2048 * 96;
  EXPECT_DOUBLE_EQ(test::total_flops(forward(in)), 2 * product);
  EXPECT_DOUBLE_EQ(test::total_flops(backward(in)), 4 * product);
}

// Causal: half of both products; backward five of them instead of two, half each. At 8192 tokens arithmetic is what counts:
// flops / (efficiency * peak) + start.
TEST(Attention, FlashIsHalfThePairsAndComputeBound) {
  BlockInput in = test::gpt_22b();
  in.profile.attention = Attention::flash;
  in.sequence = 8192;
  const double product = 2.0 * 4 * 8 * 8192 * 8192 * 96;
  const Block once = forward(in), back = backward(in);
  EXPECT_DOUBLE_EQ(test::total_flops(once), product);
  EXPECT_DOUBLE_EQ(test::total_flops(back), 2.5 * product);
  EXPECT_EQ(once.ops.front().bound, Bound::compute);
  EXPECT_DOUBLE_EQ(once.ops.front().device_s, product / (0.575 * 312e12) + 2.5e-6);
  EXPECT_DOUBLE_EQ(back.ops.front().device_s, 2.5 * product / (0.46 * 312e12) + 2.5e-6);
}

// Q, K, V in and the context out: 2 bytes each of 8192 rows; with 2 key-value heads for 8 query heads K and V are a quarter.
TEST(Attention, FlashTraffic) {
  BlockInput in = test::gpt_22b();
  in.profile.attention = Attention::flash;
  EXPECT_DOUBLE_EQ(test::total_bytes(forward(in)), 2.0 * 8192 * 4 * 768);
  in.model.kv_heads = 16;
  EXPECT_DOUBLE_EQ(test::total_bytes(forward(in)), 2.0 * 8192 * (768 + 2 * 192 + 768));
}

}  // namespace
}  // namespace gridlock::model
