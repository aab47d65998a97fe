#include "collectives/channel_speed.hpp"

#include <gtest/gtest.h>

#include "tests/collectives/units.hpp"

namespace gridlock::collectives {
namespace {

double searched_gb(Generation generation, double gbps) { return searched_bytes_per_s(generation, gbps / 8 * gb) / gb; }

// B / s channels of the fastest speed s that B carries: 12.5, 25, 50, 100, 200 GB/s.
TEST(ChannelSpeed, AsManyOfTheFastestThatFit) {
  EXPECT_DOUBLE_EQ(searched_gb(Generation::hopper, 100), 12);
  EXPECT_DOUBLE_EQ(searched_gb(Generation::hopper, 200), 24);
  EXPECT_DOUBLE_EQ(searched_gb(Generation::hopper, 400), 48);
  EXPECT_DOUBLE_EQ(searched_gb(Generation::hopper, 800), 2 * 48);
  EXPECT_DOUBLE_EQ(searched_gb(Generation::blackwell, 800), 96);
  EXPECT_DOUBLE_EQ(searched_gb(Generation::ampere, 200), 24);
  EXPECT_DOUBLE_EQ(searched_gb(Generation::volta, 0.5), 0.0625);  // below the list
}

TuningParameters measured() {
  TuningParameters p;
  p.intra_channel_bytes_per_s = 30 * gb, p.intra_channels = 12;
  p.inter_channel_bytes_per_s = 47 * gb, p.inter_channels = 1;
  p.nic_bytes_per_s = 50 * gb, p.nvlink_bytes_per_s = 450 * gb;
  return p;
}

CommunicatorShape behind(double nic_gbps, double nvlink_gb) {
  CommunicatorShape shape{.ranks = 16, .nodes = 2, .ranks_per_node = 8};
  shape.nic_bytes_per_s = nic_gbps / 8 * gb, shape.nvlink_bytes_per_s = nvlink_gb * gb;
  return shape;
}

// Behind a NIC of 800 Gb/s the 47 GB/s become 47 x 96 / 48; behind 200 Gb/s the links bind, and the tuner expects 47 x 24 / 48.
TEST(ChannelSpeed, FasterLinksMoveMoreAndOfSlowerOnesTheTunerExpectsLess) {
  EXPECT_DOUBLE_EQ(moved_behind(measured(), behind(800, 900)).inter_channel_bytes_per_s, 94 * gb);
  EXPECT_DOUBLE_EQ(moved_behind(measured(), behind(800, 900)).intra_channel_bytes_per_s, 60 * gb);
  EXPECT_DOUBLE_EQ(moved_behind(measured(), behind(200, 225)).inter_channel_bytes_per_s, 47 * gb);
  EXPECT_DOUBLE_EQ(moved_behind(measured(), behind(200, 225)).intra_channel_bytes_per_s, 30 * gb);
  EXPECT_DOUBLE_EQ(expected_behind(measured(), behind(200, 225)).inter_channel_bytes_per_s, 23.5 * gb);
  EXPECT_DOUBLE_EQ(expected_behind(measured(), behind(200, 225)).intra_channel_bytes_per_s, 15 * gb);
}

// Four NICs of 100 Gb/s a GPU: a ring has a channel of 12 on each, NVLS one of 48 over all four.
TEST(ChannelSpeed, NvlsUsesAllNicsOfAGpu) {
  TuningParameters p = measured();
  p.nvls_inter_channel_bytes_per_s = 48 * gb;
  CommunicatorShape shape = behind(100, 450);
  shape.rails = 32;
  EXPECT_DOUBLE_EQ(expected_behind(p, shape).inter_channel_bytes_per_s, 47 * 12.0 / 48 * gb);
  EXPECT_DOUBLE_EQ(expected_behind(p, shape).nvls_inter_channel_bytes_per_s, 48 * gb);
}

// What the profile was measured behind, or does not name, changes nothing.
TEST(ChannelSpeed, NothingChangesBehindTheSameLinks) {
  EXPECT_EQ(expected_behind(measured(), behind(400, 450)).inter_channel_bytes_per_s, 47 * gb);
  TuningParameters anywhere = measured();
  anywhere.nic_bytes_per_s = anywhere.nvlink_bytes_per_s = 0;
  EXPECT_EQ(expected_behind(anywhere, behind(100, 900)).inter_channel_bytes_per_s, 47 * gb);
  EXPECT_EQ(moved_behind(anywhere, behind(1600, 900)).intra_channel_bytes_per_s, 30 * gb);
}

}  // namespace
}  // namespace gridlock::collectives
