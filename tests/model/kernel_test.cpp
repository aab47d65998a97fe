#include "sim/model/kernel.hpp"

#include <gtest/gtest.h>

#include "sample_models.hpp"
#include "topology/error.hpp"

namespace gridlock::model {
namespace {

const Device round_gpu{.peak_flops = 100e12, .hbm_bytes_per_s = 2e12, .sms = 100};
const MemoryModel round_memory{.efficiency = 0.5, .start_s = 2e-6};

// 1 GB at 2 TB/s * 0.5 = 1 ms, and three launches of 2 us.
TEST(Kernel, StreamingPaysStartAndBytes) {
  const KernelTime time = streaming(1e9, round_memory, round_gpu, 3);
  EXPECT_DOUBLE_EQ(time.device_s, 1e-3 + 6e-6);
  EXPECT_EQ(time.bound, Bound::memory);
  EXPECT_EQ(time.bytes, 1e9);
}

// 1 TFLOP at 0.4 * 100 TFLOP/s = 25 ms against 1 ms of bytes; 0.01 TFLOP, 0.25 ms, is hidden behind them.
TEST(Kernel, FusedTakesTheLargerTerm) {
  const KernelTime compute = fused(1e12, 0.4, 1e9, round_memory, round_gpu);
  EXPECT_DOUBLE_EQ(compute.device_s, 25e-3 + 2e-6);
  EXPECT_EQ(compute.bound, Bound::compute);
  const KernelTime memory = fused(1e10, 0.4, 1e9, round_memory, round_gpu);
  EXPECT_DOUBLE_EQ(memory.device_s, 1e-3 + 2e-6);
  EXPECT_EQ(memory.bound, Bound::memory);
}

// 25 of 100 SMs held. Kernel of 10 ms, collective of 4 ms: 3 ms of work done in the first 4, 7 ms left: 11 ms.
// Collective of 40 ms outlasts the kernel: 10 / 0.75. They meet where the kernel ends with the collective.
TEST(Kernel, BesideACollectiveWorkIsConserved) {
  EXPECT_DOUBLE_EQ(beside_collective(10e-3, 4e-3, 25, 100), 11e-3);
  EXPECT_DOUBLE_EQ(beside_collective(10e-3, 40e-3, 25, 100), 10e-3 / 0.75);
  EXPECT_DOUBLE_EQ(beside_collective(7.5e-3, 10e-3, 25, 100), 10e-3);
  EXPECT_DOUBLE_EQ(beside_collective(10e-3, 4e-3, 0, 100), 10e-3);
}

TEST(Kernel, HeldSmsTakeArithmeticNotMemory) {
  const Device rest = without_sms(round_gpu, 25);
  EXPECT_EQ(rest.sms, 75);
  EXPECT_DOUBLE_EQ(rest.peak_flops, 75e12);
  EXPECT_EQ(rest.hbm_bytes_per_s, round_gpu.hbm_bytes_per_s);
}

TEST(Kernel, UnknownPrecisionNamesTheKnownOnes) {
  topology::GpuSpec gpu;
  gpu.name = "a100-sxm";
  gpu.peak_flops = {{"bf16", 312e12}, {"fp16", 312e12}};
  gpu.hbm_bytes_per_s = 2.039e12;
  gpu.sms = 108;
  EXPECT_EQ(device(gpu, "bf16").peak_flops, 312e12);
  EXPECT_EQ(device(gpu, "bf16").sms, 108);
  try {
    device(gpu, "fp8");
    FAIL() << "fp8 accepted";
  } catch (const topology::SpecError& error) {
    EXPECT_EQ(error.path, "precision");
    EXPECT_EQ(error.help, "it has bf16, fp16");
  }
}

}  // namespace
}  // namespace gridlock::model
