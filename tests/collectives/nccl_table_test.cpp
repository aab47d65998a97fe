#include "collectives/nccl_table.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace gridlock::collectives {
namespace {

TEST(ParseSize, TakesNcclTestsForms) {
  EXPECT_EQ(parse_size("8"), 8u);
  EXPECT_EQ(parse_size("64K"), 64u << 10);
  EXPECT_EQ(parse_size("64k"), 64u << 10);
  EXPECT_EQ(parse_size("32M"), 32u << 20);
  EXPECT_EQ(parse_size("1.5G"), 3ull << 29);
  EXPECT_EQ(parse_size("16g"), 16ull << 30);
}

TEST(ParseSize, RefusesTheRest) {
  for (const char* text : {"", "M", "-1", "0", "1T", "1GB", "1 G", "nan", "inf", "1e9", "99999999999G", "0x10"}) {
    EXPECT_THROW(parse_size(text), std::invalid_argument) << text;
  }
}

TEST(SizeSeries, MultipliesOrAdds) {
  EXPECT_EQ(size_series(8, 64, 2), (std::vector<std::uint64_t>{8, 16, 32, 64}));
  EXPECT_EQ(size_series(8, 63, 2), (std::vector<std::uint64_t>{8, 16, 32}));
  EXPECT_EQ(size_series(8, 20, 1, 6), (std::vector<std::uint64_t>{8, 14, 20}));
  EXPECT_EQ(size_series(100, 100, 1, 0), (std::vector<std::uint64_t>{100}));
}

TEST(SizeSeries, RefusesWhatWouldNotEnd) {
  EXPECT_THROW(size_series(64, 8, 2), std::invalid_argument);
  EXPECT_THROW(size_series(8, 64, 1, 0), std::invalid_argument);
  EXPECT_THROW(size_series(1, 64, 1.1), std::invalid_argument);
  EXPECT_THROW(size_series(1, 1ull << 40, 1, 1), std::invalid_argument);
}

// A public all-gather log on 16 ranks prints 8388608 bytes with count 131072; its smallest sizes collapse to whole 16-byte parts.
TEST(CallSize, PartsAreWholeSixteenBytes) {
  EXPECT_EQ(call_size(Kind::all_gather, 16, 8388608).count, 131072u);
  EXPECT_EQ(call_size(Kind::all_gather, 16, 8388608).bytes, 8388608u);
  EXPECT_EQ(call_size(Kind::all_gather, 3, 100).bytes, 96u);  // 25 floats: 8 a rank, the largest multiple of 4
  EXPECT_EQ(call_size(Kind::reduce_scatter, 16, 128).bytes, 0u);
  EXPECT_EQ(call_size(Kind::all_reduce, 16, 10).bytes, 8u);
}

// Rows of published logs: 8 GPUs, 10737418240 B in 89649 us: algbw 119.77, busbw (x 1.75) 209.60.
TEST(NcclTable, HasNcclTestsColumns) {
  const std::string table = nccl_table(
      Kind::all_reduce, 8, {{{8, 2}, 32.454e-6}, {{26214400, 6553600}, 2009.1e-6}, {{10737418240, 2684354560}, 89649e-6}});
  EXPECT_EQ(
      table,
      "#                                                              out-of-place                       in-place          \n"
      "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong\n"
      "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)       \n"
      "           8             2     float     sum      -1    32.45    0.00    0.00    N/A    32.45    0.00    0.00    N/A\n"
      "    26214400       6553600     float     sum      -1   2009.1   13.05   22.83    N/A   2009.1   13.05   22.83    N/A\n"
      " 10737418240    2684354560     float     sum      -1    89649  119.77  209.60    N/A    89649  119.77  209.60    N/A\n"
      "# Avg bus bandwidth    : 77.4782\n");
}

TEST(NcclTable, RootAndOperationByKind) {
  EXPECT_NE(nccl_table(Kind::broadcast, 8, {{{8, 2}, 1e-5}}).find("float    none       0"), std::string::npos);
  EXPECT_NE(nccl_table(Kind::reduce, 8, {{{8, 2}, 1e-5}}).find("float     sum       0"), std::string::npos);
  EXPECT_NE(nccl_table(Kind::all_gather, 8, {{{8, 2}, 1e-5}}).find("float    none      -1"), std::string::npos);
}

}  // namespace
}  // namespace gridlock::collectives
