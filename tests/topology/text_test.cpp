#include "topology/text.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace gridlock::topology {
namespace {

TEST(Glob, MatchesTheWholeText) {
  EXPECT_TRUE(glob_match("leaf3->*", "leaf3->spine7"));
  EXPECT_TRUE(glob_match("*", ""));
  EXPECT_TRUE(glob_match("node?.nic*->leaf?", "node3.nic12->leaf5"));
  EXPECT_TRUE(glob_match("*a*b*", "xxaxxbxx"));
  EXPECT_TRUE(glob_match("*ab", "aab"));  // must back up: the first 'a' is not the one before 'b'
  EXPECT_FALSE(glob_match("leaf3", "leaf31"));
  EXPECT_FALSE(glob_match("leaf?", "leaf"));
  EXPECT_FALSE(glob_match("", "x"));
  EXPECT_FALSE(glob_match("*a", "ab"));
}

TEST(Glob, ManyStarsDoNotExplode) {
  const std::string text(2000, 'a');
  EXPECT_FALSE(glob_match("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", text));
}

TEST(EditDistance, CountsEdits) {
  EXPECT_EQ(edit_distance("tensor", "tensor"), 0u);
  EXPECT_EQ(edit_distance("tensor", "Tensor"), 0u);
  EXPECT_EQ(edit_distance("tensr", "tensor"), 1u);
  EXPECT_EQ(edit_distance("tesnor", "tensor"), 1u);  // one swap
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting", 1), 2u);  // limit + 1
}

TEST(Closest, PrefersTheFewestEditsThenTheFirst) {
  const std::vector<std::string> names{"leaf_radix", "spine_radix", "scalable_unit", "tiers"};
  EXPECT_EQ(closest("leaf_radx", names), "leaf_radix");
  EXPECT_EQ(closest("spin_radix", names), "spine_radix");
  EXPECT_EQ(closest("teirs", names), "tiers");
  EXPECT_EQ(closest("oversubscription", names), std::nullopt);
  EXPECT_EQ(closest("tp", std::vector<std::string>{"pp", "dp"}), "pp");
  EXPECT_EQ(closest("x", std::vector<std::string>{"a", "b"}), std::nullopt);  // nothing in common
}

}  // namespace
}  // namespace gridlock::topology
