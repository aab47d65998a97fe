#include "sim/validate/nccl_tables.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "sim/scenario/diagnostic.hpp"
#include "sim/validate/collectives.hpp"

namespace gridlock::validate {
namespace {

class File {
 public:
  explicit File(const std::string& text) : path_("/tmp/gridlock_tables_" + std::to_string(::getpid()) + ".yaml") {
    std::ofstream(path_) << text;
  }
  ~File() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

constexpr const char* table = R"(tables:
- id: one
  collective: all_reduce
  nodes: 2
  gpus_per_node: 8
  ranks: 16
  quality: ok
  environment: NCCL_ALGO=Ring, NVLS off
  source: {url: 'https://example.org/1'}
  cluster: hgx-h100
  profile: h100-sxm
  columns: [size_bytes, oop_time_us, oop_algbw_GBps, ip_time_us]
  rows:
  - [1073741824, 6000, 1, 5000.5]
  - [1024, null, 0, 30]
  - [2048, 0, 0, null]
)";

TEST(NcclTables, ReadsRowsEnvironmentAndSource) {
  const File file(table);
  const NcclTables tables = read_nccl_tables(file.path());
  ASSERT_EQ(tables.tables.size(), 1u);
  const NcclTable& one = tables.tables[0];
  EXPECT_EQ(one.source, "https://example.org/1");
  EXPECT_EQ(one.forced.algorithm, collectives::Algorithm::ring);
  EXPECT_FALSE(one.nvls);
  EXPECT_FALSE(one.fitted);
  ASSERT_EQ(one.rows.size(), 2u);  // by size
  EXPECT_EQ(one.rows[0].bytes, 1024u);
  EXPECT_DOUBLE_EQ(one.rows[1].best_s(), 5000.5e-6);
  EXPECT_EQ(tables.problems, (std::vector<std::string>{"one: line 16: no size or no time above 0"}));
}

TEST(NcclTables, ScoresThem) {
  const File file(table);
  const CollectiveScore score = score_collectives(read_nccl_tables(file.path()), {});
  ASSERT_EQ(score.rows.size(), 2u);
  EXPECT_EQ(score.rows[1].choice.algorithm, collectives::Algorithm::ring);
  EXPECT_FALSE(score.rows[1].scored.single_domain);
  EXPECT_NEAR(score.rows[1].scored.error, score.rows[1].predicted_s / 5000.5e-6 - 1, 1e-12);
}

// 16 channels of 22.9 GB/s move 366, 24 what 8 NICs of 48 carry.
TEST(NcclTables, ChannelsAskedForRun) {
  const auto predicted = [](const std::string& environment) {
    const File file("tables:\n- {id: one, collective: all_reduce, nodes: 4, ranks: 32, environment: " + environment +
                    ", cluster: hgx-h100, profile: h100-sxm, columns: [size_bytes, ip_time_us], rows: [[17179869184, 9e4]]}\n");
    return score_collectives(read_nccl_tables(file.path()), {}).rows.at(0).predicted_s;
  };
  EXPECT_NEAR(predicted("NCCL_ALGO=Ring") / predicted("NCCL_ALGO=Ring NCCL_MIN_CTAS=24"), 384.0 / 366.4, 0.005);
  EXPECT_EQ(predicted("NCCL_ALGO=Ring NCCL_MIN_NCHANNELS=24"), predicted("NCCL_ALGO=Ring NCCL_MIN_CTAS=24"));
}

// 2 nodes of 8 H100, ring all-reduce of 1 GiB over 8 NICs: at a quarter of the NICs' speed the left-out profile takes 4 times as
// long, latency aside.
TEST(NcclTables, FittedTablesAreScoredWithoutTheirOwnNumbersToo) {
  const File file(
      "tables:\n"
      "- id: one\n  collective: all_reduce\n  nodes: 2\n  ranks: 16\n  environment: NCCL_ALGO=Ring\n  fitted: true\n"
      "  cluster: hgx-h100\n  profile: h100-sxm\n"
      "  left_out_profile: {base: h100-sxm, nccl: {inter_channel_bandwidth: 12GBps}}\n"
      "  columns: [size_bytes, ip_time_us]\n  rows: [[17179869184, 90000]]\n");
  const CollectiveScore score = score_collectives(read_nccl_tables(file.path()), {});
  ASSERT_EQ(score.rows.size(), 1u);
  ASSERT_EQ(score.left_out.size(), 1u);
  EXPECT_EQ(score.rows[0].scored.basis, Basis::fitted);
  EXPECT_EQ(score.left_out[0].scored.basis, Basis::left_out);
  EXPECT_NEAR(score.left_out[0].predicted_s / score.rows[0].predicted_s, 366.0 / 96, 0.02);
  EXPECT_EQ(score.most_ranks, 16);
  ASSERT_EQ(score.summary.size(), 2u);
  EXPECT_EQ(score.summary[1].basis, Basis::left_out);
}

TEST(CollectivesPage, HasItsSectionReplaced) {
  const std::string begin = "<!-- gridlock validate collectives: begin -->\n",
                    end = "<!-- gridlock validate collectives: end -->\n";
  EXPECT_EQ(replace_section("# Page\n" + begin + "old\n" + end + "rest\n", "new"),
            "# Page\n" + begin + "\nnew\n" + end + "rest\n");
  EXPECT_THROW(replace_section("# Page\n" + end + begin, "new"), std::invalid_argument);
  EXPECT_THROW(replace_section("# Page\n", "new"), std::invalid_argument);
}

TEST(CollectivesPage, SaysWhereMeasurementsEnd) {
  const File file(table);
  const std::string page = collectives_markdown(score_collectives(read_nccl_tables(file.path()), {}), 1);
  EXPECT_NE(page.find("has 16 ranks. **Collectives of more ranks are extrapolated**"), std::string::npos) << page;
  EXPECT_NE(page.find("| several | unseen | 64 MiB and more | 1 | 1 |"), std::string::npos) << page;
}

TEST(NcclTables, TablesThatCannotBePredictedAreNamed) {
  const File file(
      "tables:\n"
      "- {id: bad, collective: all_reduce, quality: pathological, columns: [size_bytes, ip_time_us], rows: [[8, 1]]}\n"
      "- {id: bare, collective: all_reduce, columns: [size_bytes, ip_time_us], rows: [[8, 1]]}\n"
      "- {id: odd, collective: all_reduc, columns: [size_bytes, ip_time_us], rows: [[8, 1]]}\n"
      "- {id: gone, collective: all_reduce, ranks: 8, cluster: hgx-h10, profile: h100-sxm, columns: [size_bytes, ip_time_us], "
      "rows: [[8, 1]]}\n"
      "- {id: large, collective: all_reduce, ranks: 99, cluster: hgx-h100, profile: h100-sxm, columns: [size_bytes, ip_time_us], "
      "rows: [[8, 1]]}\n");
  const CollectiveScore score = score_collectives(read_nccl_tables(file.path()), {});
  EXPECT_TRUE(score.rows.empty());
  ASSERT_EQ(score.skipped.size(), 5u);
  EXPECT_NE(score.skipped[0].find("did you mean all-reduce?"), std::string::npos);
  EXPECT_EQ(score.skipped[1], "bad: quality is pathological");
  EXPECT_EQ(score.skipped[2], "bare: names no cluster or no profile");
  EXPECT_NE(score.skipped[3].find("hgx-h10"), std::string::npos);
  EXPECT_EQ(score.skipped[4], "large: 99 ranks do not fit into 1 nodes of 8 GPUs");
}

TEST(NcclTables, AFileOfAnotherShapeIsAnError) {
  const File file("rows: []\n");
  EXPECT_THROW(read_nccl_tables(file.path()), scenario::InvalidScenario);
}

// Median goals by band. Fitted tables with numbers of other environments (left out) have none.
TEST(NcclTables, TheShippedOnesMeetTheGoals) {
  const CollectiveScore score = score_collectives(read_nccl_tables(GRIDLOCK_SOURCE_DIR "/scenarios/validation/nccl.yaml"), {});
  EXPECT_TRUE(score.skipped.empty()) << score.skipped.front();
  for (const Summary& s : score.summary) {
    if (s.basis == Basis::left_out) continue;
    const double goal = s.band == Band::large ? 0.05 : s.band == Band::middle ? 0.12 : 0.20;
    EXPECT_LE(s.median, goal) << (s.single_domain ? "single " : "several ") << name(s.basis) << " " << name(s.band);
  }
}

}  // namespace
}  // namespace gridlock::validate
