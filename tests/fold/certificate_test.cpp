// The certificate must fail when the partition is wrong: each test spoils one that is right.
#include <gtest/gtest.h>

#include "machine.hpp"

namespace gridlock::fold::test {
namespace {

class Certificate : public ::testing::Test {
 protected:
  Certificate()
      : unfolded_(text()), objects_(unfolded_.graph, unfolded_.traffic, unfolded_.fabric), partition_(refine(objects_)) {}

  static engine::test::ScenarioText text() {
    engine::test::ScenarioText text;
    text.parallelism = "tensor: 4, pipeline: 4, data: 4, schedule: 1f1b, sequence_parallel: true";
    text.faults = "slow: [{gpu: 5, factor: 0.9}]";
    return text;
  }
  void expect_caught() { EXPECT_THROW(check_partition(objects_, partition_), std::logic_error); }

  // All members of class `from` into class `into`.
  static void merge(Classes& classes, Index from, Index into) {
    for (Index& k : classes.of)
      if (k == from) k = into;
  }

  Unfolded unfolded_;
  Objects objects_;
  Partition partition_;
};

TEST_F(Certificate, AcceptsTheRefinement) {
  EXPECT_NO_THROW(check_partition(objects_, partition_));
  EXPECT_GE(partition_.ranks.count(), 4u);
  EXPECT_LT(partition_.ranks.count(), 64u);
}

TEST_F(Certificate, CatchesMergedRanks) {
  for (Index k = 1; k < partition_.ranks.count(); ++k) {
    const Partition right = partition_;
    merge(partition_.ranks, k, 0);
    expect_caught();
    partition_ = right;
  }
}

TEST_F(Certificate, CatchesMergedCommunicators) {
  for (Index k = 1; k < partition_.communicators.count(); ++k) {
    const Partition right = partition_;
    merge(partition_.communicators, k, k - 1);
    expect_caught();
    partition_ = right;
  }
}

TEST_F(Certificate, CatchesMergedEdges) {
  for (Index k = 1; k < partition_.edges.count(); ++k) {
    const Partition right = partition_;
    merge(partition_.edges, k, k - 1);
    expect_caught();
    partition_ = right;
  }
}

TEST_F(Certificate, CatchesMergedLinks) {
  for (Index k = 1; k < partition_.links.count(); ++k) {
    const Partition right = partition_;
    merge(partition_.links, k, k - 1);
    expect_caught();
    partition_ = right;
  }
}

// One object alone in the wrong class.
TEST_F(Certificate, CatchesOneStray) {
  for (Classes Partition::*kind : {&Partition::ranks, &Partition::communicators, &Partition::edges}) {
    const Partition right = partition_;
    Classes& classes = partition_.*kind;
    const Index last = static_cast<Index>(classes.of.size() - 1);
    classes.of[last] = (classes.of[last] + 1) % static_cast<Index>(classes.count());
    expect_caught();
    partition_ = right;
  }
}

}  // namespace
}  // namespace gridlock::fold::test
