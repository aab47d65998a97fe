#include "sim/model/gemm.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "sample_models.hpp"

namespace gridlock::model {
namespace {

const MemoryModel fast_memory{.efficiency = 1, .start_s = 0};

// Nothing but tiles and waves: no launch, no epilogue, all tiles equally good, pure roofline.
GemmModel waves_only() { return {.ceiling = 0.82, .tile_traffic = 0, .wave_s = 0, .launch_s = 0, .overlap_exponent = 1000}; }

double time_s(const GemmShape& shape, const GemmModel& model, const Device& device = test::a100()) {
  return gemm(shape, model, fast_memory, device).device_s;
}

// 4096^3, every tile shape more than two waves, so no split: 256 x 128 tiles are 512, 5 waves of 113.3 us; 128 x 128 ones 1024,
// 10 waves of 56.7 us; 128 x 64 ones 2048, 19 waves of 28.3 us: 538.3 us, and 64 x 64 ones, 38 of 14.2 us, the same.
TEST(Gemm, WavesOfTiles) {
  const double sm_flops = 312e12 / 108 * 0.82;
  EXPECT_NEAR(time_s({.m = 4096, .n = 4096, .k = 4096}, waves_only()), 19 * 2.0 * 128 * 64 * 4096 / sm_flops, 1e-12);
}

// 2048^3 on 108 SMs: 128 tiles of 256 x 128 are less than two waves, so k is split: in five parts of 410 steps, 640 tiles make 6
// waves of 2 * 256 * 128 * 410 FLOPs, 68.1 us, against two waves of 2048 steps, 113.3 us, unsplit. 192 x 128 tiles in four parts
// of 512: 704 tiles, 7 waves: 74.4 us.
TEST(Gemm, ShortGridsSplitK) {
  GemmChoice choice;
  const double t = gemm({.m = 2048, .n = 2048, .k = 2048}, waves_only(), fast_memory, test::a100(), &choice).device_s;
  EXPECT_EQ(choice.split, 5);
  EXPECT_NEAR(t, 6 * 2.0 * 256 * 128 * 410 / (312e12 / 108 * 0.82), 1e-12);
}

// One tile of 256 x 128 on a GPU of one SM and k too short to split: 2 * 256 * 128 * 100 FLOPs + wave + launch.
TEST(Gemm, OneTilePaysLaunchAndWave) {
  const GemmModel model{.ceiling = 0.5, .tile_traffic = 40, .wave_s = 1e-6, .launch_s = 3e-6, .overlap_exponent = 1000};
  const Device one_sm{.peak_flops = 1e12, .hbm_bytes_per_s = 1e15, .sms = 1};
  const double compute_s = 2.0 * 256 * 128 * 100 / (1e12 * 0.5);
  EXPECT_NEAR(time_s({.m = 256, .n = 128, .k = 100}, model, one_sm), compute_s + 1e-6 + 3e-6, 1e-12);
}

// tile_traffic 40: a 64 x 64 tile runs at (1 + 40 (1/256 + 1/128)) / (1 + 40 * 2/64) = 1.46875 / 2.25 = 0.653 of the largest.
TEST(Gemm, SmallTilesAreSlower) {
  GemmModel model = waves_only();
  model.tile_traffic = 40;
  const Device one_sm{.peak_flops = 1e12, .hbm_bytes_per_s = 1e15, .sms = 1};
  GemmChoice choice;
  const KernelTime time = gemm({.m = 64, .n = 64, .k = 100}, model, fast_memory, one_sm, &choice);
  EXPECT_EQ(choice.tile_m, 64);
  EXPECT_EQ(choice.tile_n, 64);
  EXPECT_NEAR(time.device_s, 2.0 * 64 * 64 * 100 / (1e12 * 0.82) * 2.25 / 1.46875, 1e-15);
}

// compute = memory = T and exponent 2: together sqrt(2) T.
TEST(Gemm, OverlapExponentJoinsArithmeticAndTraffic) {
  GemmModel model{.ceiling = 1, .tile_traffic = 0, .wave_s = 0, .launch_s = 0, .overlap_exponent = 2};
  const double flops = 2.0 * 256 * 128 * 100, bytes = (256.0 * 100 + 100.0 * 128) * 2 + 256.0 * 128 * 2;
  const Device balanced{.peak_flops = 1e12, .hbm_bytes_per_s = bytes / (flops / 1e12), .sms = 1};
  EXPECT_NEAR(time_s({.m = 256, .n = 128, .k = 100}, model, balanced), std::sqrt(2.0) * flops / 1e12, 1e-15);
}

TEST(Gemm, SkinnyProductIsMemoryBound) {
  const KernelTime time = gemm({.m = 802816, .n = 192, .k = 64}, waves_only(), fast_memory, test::a100());
  EXPECT_EQ(time.bound, Bound::memory);
  EXPECT_EQ(time.bytes, (802816.0 * 64 + 64.0 * 192 + 802816.0 * 192) * 2);
}

GemmShape any_shape() {
  return {.m = *rc::gen::inRange<std::int64_t>(1, 20000),
          .n = *rc::gen::inRange<std::int64_t>(1, 20000),
          .k = *rc::gen::inRange<std::int64_t>(1, 20000),
          .batch = *rc::gen::inRange<std::int64_t>(1, 64)};
}

TEST(Gemm, NeverFasterThanTheRoofline) {
  EXPECT_TRUE(rc::check([] {
    const Profile profile = test::a100_megatron_2022();
    const Device device = test::a100();
    const KernelTime time = gemm(any_shape(), profile.gemm, profile.memory, device);
    RC_ASSERT(time.device_s > time.flops / (device.peak_flops * profile.gemm.ceiling));
    RC_ASSERT(time.device_s > time.bytes / (device.hbm_bytes_per_s * profile.memory.efficiency));
  }));
}

double a100_time_s(const GemmShape& shape) {
  const Profile profile = test::a100_megatron_2022();
  return gemm(shape, profile.gemm, profile.memory, test::a100()).device_s;
}

// From 4096 x 4096 on no tile shape makes less than two waves, nothing is split, and more of anything takes longer.
TEST(Gemm, MoreWorkIsNeverFasterOnLargeGrids) {
  EXPECT_TRUE(rc::check([] {
    GemmShape small = any_shape();
    small.m += 4096;
    small.n += 4096;
    GemmShape large = small;
    large.m += *rc::gen::inRange<std::int64_t>(0, 500);
    large.n += *rc::gen::inRange<std::int64_t>(0, 500);
    large.k += *rc::gen::inRange<std::int64_t>(0, 500);
    large.batch += *rc::gen::inRange<std::int64_t>(0, 3);
    RC_ASSERT(a100_time_s(small) <= a100_time_s(large) * (1 + 1e-12));
  }));
}

// On any grid a longer k is never faster once every split is allowed, from 8 x 128 on.
TEST(Gemm, LongerKIsNeverFaster) {
  EXPECT_TRUE(rc::check([] {
    GemmShape small = any_shape();
    small.k += 1024;
    GemmShape large = small;
    large.k += *rc::gen::inRange<std::int64_t>(0, 500);
    RC_ASSERT(a100_time_s(small) <= a100_time_s(large) * (1 + 1e-12));
  }));
}

}  // namespace
}  // namespace gridlock::model
