#include "calibrate/fit/gemm_samples.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace gridlock::calibrate {
namespace {

std::string complaint(const std::string& text) {
  std::istringstream in(text);
  try {
    read_gemm_samples(in, "t.csv");
  } catch (const SampleError& error) {
    return error.what();
  }
  return {};
}

// 2 * 1024 * 2048 * 512 FLOPs at 100 TFLOP/s: 21.475 us.
TEST(GemmSamples, ReadsShapesAndTurnsRatesIntoTimes) {
  std::istringstream in("# source\n\nm,n,k,tflops\n1024, 2048 ,512,100\n# a note\n8,8,8,0.5\n");
  const auto samples = read_gemm_samples(in, "t.csv");
  ASSERT_EQ(samples.size(), 2U);
  EXPECT_EQ(samples[0].n, 2048);
  EXPECT_DOUBLE_EQ(samples[0].seconds, 2.0 * 1024 * 2048 * 512 / 100e12);
}

TEST(GemmSamples, ComplaintsNameTheLine) {
  EXPECT_EQ(complaint("M,N,K\n"), "t.csv:1: expected the header \"m,n,k,tflops\"");
  EXPECT_EQ(complaint("m,n,k,tflops\n1,2,3\n"), "t.csv:2: expected four columns (m,n,k,tflops), got 3");
  EXPECT_EQ(complaint("m,n,k,tflops\n1,2,3,fast\n"), "t.csv:2: expected a positive number, not \"fast\"");
  EXPECT_EQ(complaint("m,n,k,tflops\n0,2,3,4\n"), "t.csv:2: expected a positive number, not \"0\"");
  EXPECT_EQ(complaint("m,n,k,tflops\n1.5,2,3,4\n"), "t.csv:2: expected a positive number, not \"1.5\"");
  EXPECT_EQ(complaint("m,n,k,tflops\n1,2,3,inf\n"), "t.csv:2: expected a finite number, not \"inf\"");
  EXPECT_EQ(complaint("m,n,k,tflops\n1,2,3,nan\n"), "t.csv:2: expected a positive number, not \"nan\"");
  EXPECT_EQ(complaint("# nothing\n"), "t.csv:1: no measured shape in this file");
}

}  // namespace
}  // namespace gridlock::calibrate
