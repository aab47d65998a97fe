#include "calibrate/measure/cuda_child.hpp"

#include <gtest/gtest.h>

#include "calibrate/measure/device.hpp"

namespace gridlock::calibrate {
namespace {

// Beside this test program there is no gridlock-measure-cuda: as in a build without CUDA.
TEST(CudaChild, ABuildWithoutCudaSaysWhatIsMissingInOneSentence) {
  try {
    cuda_child();
    FAIL() << "found a program that is not there";
  } catch (const DeviceMissing& missing) {
    const std::string text = missing.what();
    EXPECT_NE(text.find("without the CUDA Toolkit or NCCL"), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace gridlock::calibrate
