#include "collectives/override.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "collectives/tuning.hpp"

namespace gridlock::collectives {
namespace {

TEST(Override, ListsOfNcclAlgo) {
  const auto only = parse_algorithms("ring,Tree");
  EXPECT_TRUE(only.allows(Kind::all_reduce, Algorithm::tree));
  EXPECT_FALSE(only.allows(Kind::all_reduce, Algorithm::nvls));
  const auto without = parse_algorithms("^nvls,nvlstree");
  EXPECT_TRUE(without.allows(Kind::all_reduce, Algorithm::tree));
  EXPECT_FALSE(without.allows(Kind::all_reduce, Algorithm::nvls_tree));
  const auto by_kind = parse_algorithms("ring;allreduce:tree");
  EXPECT_TRUE(by_kind.allows(Kind::all_gather, Algorithm::ring));
  EXPECT_FALSE(by_kind.allows(Kind::all_reduce, Algorithm::ring));
  EXPECT_TRUE(by_kind.allows(Kind::all_reduce, Algorithm::tree));
  EXPECT_TRUE(parse_algorithms("").allows(Kind::all_reduce, Algorithm::nvls));
}

TEST(Override, Mistakes) {
  EXPECT_THROW(parse_algorithms("ring,tee"), std::invalid_argument);
  EXPECT_THROW(parse_algorithms("ring;tree"), std::invalid_argument);
  EXPECT_THROW(parse_algorithms("allredu:tree"), std::invalid_argument);
  EXPECT_THROW(parse_protocols("ll,,simple"), std::invalid_argument);
}

TEST(Override, LimitsTheCandidates) {
  CommunicatorShape shape{.ranks = 8, .nodes = 1, .ranks_per_node = 8};
  TuningParameters p{.intra_channel_bytes_per_s = 20e9, .intra_channels = 12};
  const Override trees{.algorithms = parse_algorithms("tree"), .protocols = parse_protocols("^ll128")};
  for (const Choice& choice : candidates(Kind::all_reduce, 1e6, shape, p, trees)) {
    EXPECT_EQ(choice.algorithm, Algorithm::tree);
    EXPECT_NE(choice.protocol, Protocol::ll128);
  }
  // Point-to-point calls have nothing to choose.
  EXPECT_EQ(candidates(Kind::all_to_all, 1e6, shape, p, trees).size(), 1u);
  // A protocol named is used where NCCL leaves it off.
  shape.nvlink = false;
  EXPECT_EQ(candidates(Kind::all_reduce, 1e6, shape, p, {.protocols = parse_protocols("ll128")}).front().protocol,
            Protocol::ll128);
  EXPECT_THROW(candidates(Kind::all_gather, 1e6, shape, p, trees), std::invalid_argument);
}

}  // namespace
}  // namespace gridlock::collectives
