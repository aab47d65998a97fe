#include "sim/model/gemm_packed.hpp"

#include <gtest/gtest.h>

namespace gridlock::model {
namespace {

constexpr Device host{.peak_flops = 100e9, .hbm_bytes_per_s = 50e9, .sms = 4};

GemmModel packed(double launch_s) {
  GemmModel model{.ceiling = 1, .launch_s = launch_s, .kind = GemmKind::packed};
  model.operand_bytes_per_s = 20e9;
  model.output_bytes_per_s = 40e9;
  return model;
}

// The header's example: 2e9 / 100e9 + 8e6 / 20e9 + 4e6 / 40e9 = 20 ms + 0.4 ms + 0.1 ms.
TEST(PackedGemm, WorkedExample) {
  const GemmShape shape{.m = 1000, .n = 1000, .k = 1000, .operand_bytes = 4, .output_bytes = 4};
  const KernelTime t = packed_gemm(shape, packed(0), host);
  EXPECT_NEAR(t.device_s, 20.5e-3, 1e-12);
  EXPECT_EQ(t.bound, Bound::compute);
  EXPECT_DOUBLE_EQ(t.flops, 2e9);
  EXPECT_DOUBLE_EQ(t.bytes, 12e6);
}

// The launch is paid once a call, all else by each product of a batch.
TEST(PackedGemm, ABatchIsOneLaunch) {
  GemmShape shape{.m = 64, .n = 64, .k = 64, .operand_bytes = 4, .output_bytes = 4};
  const double one = packed_gemm(shape, packed(0), host).device_s;
  shape.batch = 10;
  EXPECT_NEAR(packed_gemm(shape, packed(1e-3), host).device_s, 1e-3 + 10 * one, 1e-15);
}

// m0 = peak e / (2 operand bandwidth) = 100e9 * 4 / 40e9 = 10 rows: with n, k -> infinity, t is twice the products' time.
TEST(PackedGemm, FewRowsRunAtHalfSpeed) {
  GemmModel model = packed(0);
  const GemmShape shape{.m = 10, .n = 100'000'000, .k = 100'000'000, .operand_bytes = 4, .output_bytes = 4};
  const KernelTime t = packed_gemm(shape, model, host);
  EXPECT_NEAR(t.device_s / (t.flops / 100e9), 2, 1e-6);
}

// gemm() knows the kind: every caller of the simulator gets it.
TEST(PackedGemm, IsWhatGemmGivesForSuchAProfile) {
  const GemmShape shape{.m = 100, .n = 200, .k = 300};
  EXPECT_DOUBLE_EQ(gemm(shape, packed(1e-6), {}, host).device_s, packed_gemm(shape, packed(1e-6), host).device_s);
}

}  // namespace
}  // namespace gridlock::model
